#include "espalier/base/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier {

bool Range::contains(double number) const {
  return std::isfinite(number) && (low_open ? number > low : number >= low) &&
         (high_open ? number < high : number <= high);
}

std::string Range::to_string() const {
  return fmt::format("{}{}, {}{}", low_open ? '(' : '[', low, high,
                     high_open || std::isinf(high) ? ')' : ']');
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

namespace {

using Words = std::vector<std::string_view>;

Words words(std::span<const char* const> choices) { return {choices.begin(), choices.end()}; }

using detail::split_list;

[[noreturn]] void fail_type(std::string_view shown, std::string_view expected,
                            std::string_view given, const Words& candidates = {}) {
  throw Error(fmt::format("{} takes {}, not {}{}", shown, expected, in_quotes(given),
                          did_you_mean(given, candidates)));
}

void check_number(const Parameter& parameter, double number, std::string_view shown) {
  const bool whole = parameter.type != ParameterType::number;
  if (whole && number != std::floor(number)) {
    throw Error(fmt::format("{} = {} is not a whole number", shown, number));
  }
  if (!parameter.range.contains(number)) {
    throw Error(fmt::format("{} = {} is outside {}", shown, number, parameter.range.to_string()));
  }
}

/// The power of two that a suffix K, M or G stands for; nothing for others.
std::optional<int> binary_exponent(char suffix) {
  const std::size_t place = std::string_view("KMG").find(suffix);
  if (place == std::string_view::npos) return std::nullopt;
  return 10 * (static_cast<int>(place) + 1);
}

double parse_one_number(const Parameter& parameter, std::string_view text, std::string_view shown) {
  const auto exponent =
      parameter.bytes && !text.empty() ? binary_exponent(text.back()) : std::nullopt;
  const auto number = parse_number(exponent ? text.substr(0, text.size() - 1) : text);
  if (!number) {
    fail_type(shown, parameter.bytes ? "a number such as 2000, 512M or 4G" : "a number", text);
  }
  return std::ldexp(*number, exponent.value_or(0)) + 0.0;  // -0 becomes 0
}

Value parse_class_weight(std::string_view text, std::string_view shown) {
  if (text == "none" || text == "balanced") return std::string(text);
  NamedNumbers out;
  for (const std::string_view part : split_list(text)) {
    const std::size_t equals = part.rfind('=');
    const auto weight =
        equals == std::string_view::npos ? std::nullopt : parse_number(part.substr(equals + 1));
    if (!weight) fail_type(shown, "none, balanced or LABEL=WEIGHT,..", part);
    out.emplace_back(part.substr(0, equals), *weight);
  }
  return out;
}

Value parse_type(const Parameter& parameter, std::string_view text, std::string_view shown) {
  switch (parameter.type) {
    case ParameterType::boolean: {
      const Words names =
          parameter.choices.empty() ? Words{"false", "true"} : words(parameter.choices);
      const auto found = std::ranges::find(names, text);
      if (found == names.end()) {
        fail_type(shown, fmt::format("{} or {}", names[0], names[1]), text, names);
      }
      return found != names.begin();
    }
    case ParameterType::integer:
    case ParameterType::number:
      return parse_one_number(parameter, text, shown);
    case ParameterType::choice:
    case ParameterType::choices:
    case ParameterType::text:
      return std::string(text);
    case ParameterType::class_weight:
      return parse_class_weight(text, shown);
    case ParameterType::integers:
      break;
  }
  std::vector<double> numbers;
  if (text == "none") return numbers;
  for (const std::string_view part : split_list(text)) {
    numbers.push_back(parse_one_number(parameter, part, shown));
  }
  return numbers;
}

/// Checks a value whose alternative in the variant fits the parameter's type.
struct Checker {
  const Parameter& parameter;
  std::string_view shown;

  void operator()(std::monostate) const {
    if (!parameter.optional) throw Error(fmt::format("{} must have a value", shown));
  }
  void operator()(bool) const {}
  void operator()(double number) const { check_number(parameter, number, shown); }
  void operator()(const std::string& text) const {
    if (parameter.type == ParameterType::choice) check_choice(text);
    if (parameter.type != ParameterType::choices) return;
    for (const std::string_view part : split_list(text)) check_choice(part);
  }
  void check_choice(std::string_view name) const {
    const Words names = words(parameter.choices);
    if (std::ranges::find(names, name) == names.end()) {
      fail_type(shown, fmt::format("one of {}", fmt::join(names, ", ")), name, names);
    }
  }
  void operator()(const std::vector<double>& numbers) const {
    for (const double number : numbers) check_number(parameter, number, shown);
  }
  void operator()(const NamedNumbers& weights) const {
    for (const auto& [label, weight] : weights) {
      if (!parameter.range.contains(weight)) {
        throw Error(fmt::format("{}: the weight {} of {} is outside {}", shown, weight,
                                in_quotes(label), parameter.range.to_string()));
      }
    }
  }
};

/// Whether a parameter is not set: false, 0 or empty.
bool is_off(const Value& value) {
  return value == Value() || value == Value(false) || value == Value(0.0) || value == Value("");
}

bool lists(std::string_view users, std::string_view user) {
  for (std::string_view each : split_list(users)) {
    if (each.starts_with(' ')) each.remove_prefix(1);
    if (each == user) return true;
  }
  return false;
}

}  // namespace

Value parse_value(const Parameter& parameter, std::string_view text, std::string_view shown) {
  Value value = parse_type(parameter, text, shown);
  check_value(parameter, value, shown);
  return value;
}

void check_value(const Parameter& parameter, const Value& value, std::string_view shown) {
  std::visit(Checker{parameter, shown}, value);
}

std::string print_value(const Parameter& parameter, const Value& value) {
  struct Printer {
    const Parameter& parameter;
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool flag) const {
      return parameter.choices.empty() ? (flag ? "true" : "false") : parameter.choices[flag];
    }
    std::string operator()(double number) const {
      int unit = 0;
      while (parameter.bytes && unit < 3 && number >= 1024 && std::fmod(number, 1024) == 0) {
        number /= 1024;
        ++unit;
      }
      return print_number(number) + std::string(unit == 0 ? "" : std::string(1, " KMG"[unit]));
    }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<double>& numbers) const {
      return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ","));
    }
    std::string operator()(const NamedNumbers& weights) const {
      std::string out;
      for (const auto& [label, weight] : weights) {
        out += fmt::format("{}{}={}", out.empty() ? "" : ",", label, weight);
      }
      return out;
    }
  };
  return std::visit(Printer{parameter}, value);
}

const ParameterRow* find_parameter(std::span<const ParameterRow> rows, std::string_view name) {
  // Names before aliases: an alias may be a parameter of its own in another kernel.
  for (const ParameterRow& row : rows) {
    if (row.name == name) return &row;
  }
  for (const ParameterRow& row : rows) {
    if (!row.alias.empty() && row.alias == name) return &row;
  }
  return nullptr;
}

const ParameterRow& Parameters::find(std::string_view name) const {
  if (const ParameterRow* const row = find_parameter(rows_, name)) return *row;
  Words names;
  for (const Parameter& row : rows_) names.push_back(row.name);
  throw Error(
      fmt::format("there is no parameter {}{}", in_quotes(name), did_you_mean(name, names)));
}

void Parameters::set(std::string_view name, const Value& value) {
  const std::string_view canonical = find(name).name;
  for (const ParameterRow& row : rows_) {
    if (row.name == canonical) check_value(row, value, canonical);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name == canonical) bindings_[i].set(value);
  }
}

void Parameters::check() const {
  for (std::size_t i = 0; i < rows_.size(); ++i) check_value(rows_[i], value(i), rows_[i].name);
}

std::vector<Setting> Parameters::changed_from(const Parameters& other) const {
  std::vector<Setting> out;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (value(i) == other.value(i)) continue;
    out.push_back({std::string(rows_[i].name), print_value(rows_[i], value(i))});
  }
  return out;
}

std::vector<Setting> Parameters::used_by(std::string_view user) const {
  std::vector<Setting> out;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ParameterRow& row = rows_[i];
    const bool seen = std::ranges::find(out, row.name, &Setting::name) != out.end();
    const bool used = row.users.empty() || lists(row.users, user);
    if (seen || !used || std::holds_alternative<std::monostate>(value(i))) continue;
    out.push_back({std::string(row.name), print_value(row, value(i))});
  }
  return out;
}

void Parameters::check_use(std::span<const std::string> given, std::string_view user,
                           const std::function<std::string(std::string_view)>& show) const {
  for (const std::string& name : given) {
    std::string users;
    bool used = false;
    for (const Parameter& row : rows_) {
      if (row.name != name) continue;
      used = used || row.users.empty() || lists(row.users, user);
      users += (users.empty() ? "" : ", ") + std::string(row.users);
    }
    if (!used) {
      throw Error(fmt::format("{} is for {}, not for {}", show(name), users, user));
    }
    const std::string_view needs = find(name).needs;
    if (needs.empty()) continue;
    const auto row = std::ranges::find(rows_, needs, &ParameterRow::name);
    if (is_off(value(static_cast<std::size_t>(row - rows_.begin())))) {
      throw Error(fmt::format("{} needs {}", show(name), show(needs)));
    }
  }
}

namespace detail {

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t comma = text.find(',');
    out.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

Value to_value(const ClassWeight& weight) {
  if (!weight.weights.empty()) return weight.weights;
  return std::string(weight.balanced ? "balanced" : "none");
}

Value to_value(const std::vector<std::size_t>& numbers) {
  return std::vector<double>(numbers.begin(), numbers.end());
}

void assign(ClassWeight& member, const Value& value) {
  const auto* const weights = std::get_if<NamedNumbers>(&value);
  member = {.balanced = weights == nullptr && std::get<std::string>(value) == "balanced",
            .weights = weights == nullptr ? NamedNumbers() : *weights};
}

void assign(std::vector<std::size_t>& member, const Value& value) {
  member.clear();
  for (const double number : std::get<std::vector<double>>(value)) {
    member.push_back(static_cast<std::size_t>(number));
  }
}

}  // namespace detail

}  // namespace espalier
