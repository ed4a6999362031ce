#include "parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "help.hpp"

namespace espalier::cli {

namespace {

std::string placeholder(const Parameter& row) {
  switch (row.type) {
    case ParameterType::boolean:
    case ParameterType::choice:
      return fmt::format("{}", fmt::join(row.choices, "|"));
    case ParameterType::choices:
      return "NAME,..";
    case ParameterType::integers:
      return "N,..";
    case ParameterType::integer:
      return row.bytes ? "SIZE" : "N";
    case ParameterType::number:
      return "X";
    case ParameterType::text:
      return "TEXT";
    case ParameterType::class_weight:
      return "none|balanced|LABEL=X,..";
  }
  return {};
}

/// The help of all rows of one name: their defaults may depend on the learner or method.
std::string help_text(const Parameters& parameters, const ParameterRow& first) {
  std::vector<std::string> defaults;
  bool same = true;
  for (const ParameterRow& row : parameters.rows()) {
    if (row.name != first.name) continue;
    same = same && row.default_value == first.default_value;
    defaults.push_back(fmt::format("{}: {}", row.users, print_value(row, row.default_value)));
  }
  const std::string standard =
      same ? print_value(first, first.default_value) : fmt::format("{}", fmt::join(defaults, "; "));
  const bool flag = first.type == ParameterType::boolean && first.choices.empty();
  std::string out(first.help);
  if (first.type == ParameterType::choices) {
    out += fmt::format(": {}", fmt::join(first.choices, ", "));
  }
  return flag || standard.empty() ? out : fmt::format("{} [{}]", out, standard);
}

}  // namespace

std::string flag_of(std::string_view name) {
  std::string out = (name.size() == 1 ? "-" : "--") + std::string(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

void ParameterFlags::add_flags(CLI::App& command, std::initializer_list<std::string_view> except) {
  for (const ParameterRow& row : parameters_->rows()) {
    const bool left_out = std::ranges::find(except, row.name) != except.end();
    const bool there =
        std::ranges::any_of(flags_, [&](const auto& f) { return f.first == row.name; });
    if (left_out || there) continue;
    CLI::Option* const option = add_flag(command, row);
    option->group(row.users.empty() ? (row.common ? common_group : more_group)
                                    : fmt::format("{}: {}", more_group, row.users));
    if (row.common) option->group(common_group);
    flags_.emplace_back(row.name, option);
  }
}

CLI::Option* ParameterFlags::add_flag(CLI::App& command, const ParameterRow& row) {
  const std::string flag = flag_of(row.name);
  const auto set = [parameters = parameters_, &row, flag](const std::string& text) {
    try {
      parameters->set(row.name, parse_value(row, text, flag));
    } catch (const Error& error) {
      throw CLI::ValidationError(error.what());
    }
  };
  const std::string help = help_text(*parameters_, row);
  if (row.type == ParameterType::boolean && row.choices.empty()) {
    const bool on = std::get<bool>(row.default_value);
    return command.add_flag_callback(
        on ? "--no-" + flag.substr(2) : flag, [set, on] { set(on ? "false" : "true"); },
        (on ? "turn off: " : "") + help);
  }
  const std::string names = row.alias.size() == 1 ? fmt::format("-{},{}", row.alias, flag) : flag;
  return command.add_option_function<std::string>(names, set, help)->option_text(placeholder(row));
}

CLI::Option* ParameterFlags::option(std::string_view name) const {
  return std::ranges::find(flags_, name, &std::pair<std::string, CLI::Option*>::first)->second;
}

std::vector<std::string> ParameterFlags::given() const {
  std::vector<std::string> out;
  for (const auto& [name, option] : flags_) {
    if (option->count() > 0) out.push_back(name);
  }
  return out;
}

void ParameterFlags::check_use(std::string_view user) const {
  parameters_->check_use(given(), user, flag_of);
}

}  // namespace espalier::cli
