#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace espalier::cli {

namespace {

constexpr std::size_t left_width = 30;
constexpr std::size_t page_width = 100;

bool is_hidden(const std::string& group) { return group.starts_with(more_group); }

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return text;
}

/// What stands for the value of an option: text of its own, or its name as in OUTPUT.
std::string placeholder(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return {};
  const std::string& text = option.get_option_text();
  return " " + (text.empty() ? upper_case(option.get_single_name()) : text);
}

/// `left`, then the words of `right` in lines that fit the page.
std::string two_columns(const std::string& left, const std::string& right) {
  std::string out = "  " + left;
  std::size_t column = out.size();
  if (column + 2 > left_width) {
    out += '\n';
    column = 0;
  }
  out.append(left_width - column, ' ');
  column = left_width;
  for (const std::string& word : CLI::detail::split(right, ' ')) {
    if (column > left_width && column + 1 + word.size() > page_width) {
      out += '\n' + std::string(left_width, ' ');
      column = left_width;
    } else if (column > left_width) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + '\n';
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string left = is_positional ? upper_case(option->get_name(true))
                                         : option->get_name(false, true) + placeholder(*option);
  std::string right = option->get_description();
  if (!option->get_default_str().empty()) right += fmt::format(" [{}]", option->get_default_str());
  if (option->get_required() && !is_positional) {
    // A default of the table never applies.
    if (right.ends_with(']')) right.erase(right.rfind(" ["));
    right += " (required)";
  }
  return two_columns(left, right);
}

std::string HelpFormatter::make_groups(const CLI::App* app, CLI::AppFormatMode mode) const {
  std::string out;
  for (const std::string& group : app->get_groups()) {
    if (group.empty() || (is_hidden(group) && mode != CLI::AppFormatMode::All)) continue;
    const auto options = app->get_options([&](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
    if (!options.empty()) out += make_group(group, false, options);
  }
  return out;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  std::string out = make_description(app) + make_usage(app, name) + make_positionals(app) +
                    make_groups(app, mode) + make_subcommands(app, mode) + '\n' + make_footer(app);
  const auto found = details.find(app);
  if (mode == CLI::AppFormatMode::All) {
    return out + (found == details.end() ? "" : '\n' + found->second);
  }
  const bool more = found != details.end() || std::ranges::any_of(app->get_groups(), is_hidden);
  return out +
         (more ? fmt::format("\n'{} --help-all' shows all options and details.\n", name) : "");
}

void add_details(const CLI::App& command, std::string text) {
  std::static_pointer_cast<HelpFormatter>(command.get_formatter())->details[&command] =
      std::move(text);
}

}  // namespace espalier::cli
