#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace espalier {

// The parameter table. Every options struct lists its fields once, in describe():
//
//     static void describe(auto& self, auto&& field) {
//       field("dropout", self.dropout, "fraction of each layer dropped in training",
//             {.range = Range::below(1)});
//     }
//
// Range checks, command-line flags, Python signatures, docstrings and stubs, and the reference page
// all come from these rows.

/// The interval that a number must lie in.
struct Range {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double low = 0;
  double high = infinity;
  bool low_open = false;   ///< whether `low` itself is excluded
  bool high_open = false;  ///< whether `high` itself is excluded

  static constexpr Range above(double low) { return {low, infinity, true}; }
  static constexpr Range at_least(double low) { return {low, infinity}; }
  /// From 0 up to, but excluding, `high`.
  static constexpr Range below(double high) { return {0, high, false, true}; }

  /// False for nan and infinities.
  bool contains(double number) const;
  /// "[0, 1)", "(0, inf)".
  std::string to_string() const;
};

/// Numbers by name, such as class weights.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// The value of a parameter. Enumerations are strings; monostate is "not set".
using Value =
    std::variant<std::monostate, bool, double, std::string, std::vector<double>, NamedNumbers>;

/// The type of a parameter's value.
enum class ParameterType {
  boolean,
  integer,
  number,
  choice,   ///< one of Parameter::choices
  choices,  ///< several of them, separated by commas
  text,
  integers,  ///< separated by commas
  class_weight
};

/// What another value of a parameter changes: what a search can share between its settings.
enum class Affects {
  training,     ///< nothing that is computed before training
  preparation,  ///< the matrix or the vectors that a learner is trained on
  task          ///< what is learned, or the data that it is learned from: it is not searched
};

/// What a row of the parameter table may say beyond name, member and help.
struct ParameterTraits {
  Range range = {};             ///< of a number, or of each number of a list
  std::string_view alias = {};  ///< a second name; one letter is a short flag, -k
  std::string_view users = {};  ///< the learners or methods that use it, "svm, linear"; "": all
  std::string_view needs = {};  ///< a parameter that must be set for this one to have an effect
  bool common = false;          ///< shown by --help; the others are shown by --help-all
  bool integer = false;         ///< a whole number, though the member is a double
  bool bytes = false;           ///< may be written 512M or 4G
  bool swept = false;           ///< of a kernel: one pass computes several values of it
  Affects affects = Affects::training;
  /// The names of an enumeration; or the words for false and true.
  std::span<const char* const> choices = {};
};

/// One row of the parameter table.
struct Parameter : ParameterTraits {
  std::string_view name;  ///< in C++ and Python; as a flag with hyphens, --input-dropout
  std::string_view help;  ///< a phrase without a full stop
  ParameterType type = ParameterType::number;  ///< found from the member
  bool optional = false;                       ///< may be not set; found from the member
};

/// A row with its default.
struct ParameterRow : Parameter {
  Value default_value;
};

/// The names of an enumeration, in the order of its values. An enumeration that is a parameter has
/// `constexpr std::array<const char*, N> names_of(Enum)` beside it.
template <class Enum>
inline constexpr auto enum_names = names_of(Enum{});

template <class Enum>
constexpr const char* name_of(Enum value) {
  return enum_names<Enum>[static_cast<std::size_t>(value)];
}

/// The row of that name, else of that alias; null if there is none.
const ParameterRow* find_parameter(std::span<const ParameterRow> rows, std::string_view name);

/// Reads a value as written on a command line or in a kernel expression. Throws Error if it is of
/// the wrong type or out of range; `shown` is the parameter's name in the message.
Value parse_value(const Parameter& parameter, std::string_view text, std::string_view shown);

/// The text that parse_value() reads back.
std::string print_value(const Parameter& parameter, const Value& value);

/// Throws Error unless the value has the parameter's type and range: "dropout = 1.5 is outside
/// [0, 1)".
void check_value(const Parameter& parameter, const Value& value, std::string_view shown);

/// "; did you mean 'x'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// describe() with rows marked as used by these learners or methods only, unless they say
/// otherwise.
auto used_by(std::string_view users, auto& field) {
  return [users, &field](std::string_view name, auto& member, std::string_view help,
                         ParameterTraits traits = {}) {
    if (traits.users.empty()) traits.users = users;
    field(name, member, help, traits);
  };
}

/// Calls visit(parameter, member) for each row of describe().
template <class Options, class Visit>
void for_each_parameter(Options& options, Visit visit) {
  Options::describe(options, [&](std::string_view name, auto& member, std::string_view help,
                                 const ParameterTraits& traits = {}) {
    visit(Parameter{traits, name, help}, member);
  });
}

struct Setting;

/// The rows of an options struct, bound to one object of it, which must outlive this. A name may
/// have several rows, such as the seed of nested options: setting it sets all of them.
class Parameters {
 public:
  /// The defaults are the values that `options` has now.
  template <class Options>
  explicit Parameters(Options& options) {
    for_each_parameter(options, [&](const Parameter& row, auto& member) { add(row, member); });
  }

  std::span<const ParameterRow> rows() const { return rows_; }
  /// The row of that name or alias; of several, the first. Throws Error with the nearest name.
  const ParameterRow& find(std::string_view name) const;
  /// Checks the value and assigns it.
  void set(std::string_view name, const Value& value);
  /// The current value of row number `index`.
  Value value(std::size_t index) const { return bindings_[index].get(); }
  /// What differs from the values of other options of the same type.
  std::vector<Setting> changed_from(const Parameters& other) const;
  /// The parameters that `user`, a learner or method, uses, but those that are not set.
  std::vector<Setting> used_by(std::string_view user) const;
  /// Throws Error if a value is out of range.
  void check() const;
  /// Throws Error if one of the names `given` has no effect: it belongs to other learners or
  /// methods than `user`, or needs a parameter that is not set. `show` turns a name into what the
  /// interface calls it.
  void check_use(std::span<const std::string> given, std::string_view user,
                 const std::function<std::string(std::string_view)>& show) const;

 private:
  struct Binding {
    std::function<Value()> get;
    std::function<void(const Value&)> set;
  };

  template <class T>
  void add(Parameter row, T& member);

  std::vector<ParameterRow> rows_;
  std::vector<Binding> bindings_;
};

/// A parameter and its value as text, for records: parse_value() reads it back.
struct Setting {
  std::string name;
  std::string value;

  void fields(auto&& field) const {
    field("name", name);
    field("value", value);
  }
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// The parameters that differ from their defaults.
template <class Options>
std::vector<Setting> changed_settings(Options options) {
  Options usual;
  return Parameters(options).changed_from(Parameters(usual));
}

/// Throws Error if a field is out of its range.
template <class Options>
void check_parameters(const Options& options) {
  Options copy = options;
  Parameters(copy).check();
}

// --- From members to values and back
// --------------------------------------------------------------

/// How the errors of classes are weighted: all equally, in inverse proportion to the class sizes,
/// or by name, where classes that are not named have weight 1.
struct ClassWeight {
  bool balanced = false;
  NamedNumbers weights = {};
  friend bool operator==(const ClassWeight&, const ClassWeight&) = default;
};

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_enum_list = false;
template <class T>
inline constexpr bool is_enum_list<std::vector<T>> = std::is_enum_v<T>;

template <class T>
constexpr ParameterType type_of() {
  if constexpr (is_optional<T>) {
    return type_of<typename T::value_type>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return ParameterType::boolean;
  } else if constexpr (std::is_integral_v<T>) {
    return ParameterType::integer;
  } else if constexpr (std::is_floating_point_v<T>) {
    return ParameterType::number;
  } else if constexpr (std::is_enum_v<T>) {
    return ParameterType::choice;
  } else if constexpr (is_enum_list<T>) {
    return ParameterType::choices;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return ParameterType::text;
  } else if constexpr (std::is_same_v<T, ClassWeight>) {
    return ParameterType::class_weight;
  } else {
    static_assert(std::is_same_v<T, std::vector<std::size_t>>);
    return ParameterType::integers;
  }
}

/// The parts of "a,b"; one empty part of an empty text.
std::vector<std::string_view> split_list(std::string_view text);

template <class Enum>
Enum enum_named(std::string_view name) {
  std::size_t index = 0;
  while (name != enum_names<Enum>[index]) ++index;
  return static_cast<Enum>(index);
}

Value to_value(const ClassWeight& weight);
Value to_value(const std::vector<std::size_t>& numbers);
template <class T>
Value to_value(const T& member) {
  if constexpr (is_optional<T>) {
    return member ? to_value(*member) : Value();
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(member));
  } else if constexpr (is_enum_list<T>) {
    std::string out;
    for (const auto each : member) out += (out.empty() ? "" : ",") + std::string(name_of(each));
    return out;
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<double>(member);
  } else {
    return member;
  }
}

void assign(ClassWeight& member, const Value& value);
void assign(std::vector<std::size_t>& member, const Value& value);
/// Requires the value to have passed check_value().
template <class T>
void assign(T& member, const Value& value) {
  if constexpr (is_optional<T>) {
    member.reset();
    if (!std::holds_alternative<std::monostate>(value)) assign(member.emplace(), value);
  } else if constexpr (std::is_enum_v<T>) {
    member = enum_named<T>(std::get<std::string>(value));
  } else if constexpr (is_enum_list<T>) {
    member.clear();
    for (const std::string_view name : split_list(std::get<std::string>(value))) {
      const auto each = enum_named<typename T::value_type>(name);
      if (std::find(member.begin(), member.end(), each) == member.end()) member.push_back(each);
    }
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    member = static_cast<T>(std::get<double>(value));
  } else {
    member = std::get<T>(value);
  }
}

template <class T>
constexpr std::span<const char* const> choices_of() {
  if constexpr (is_optional<T>) {
    return choices_of<typename T::value_type>();
  } else if constexpr (is_enum_list<T>) {
    return enum_names<typename T::value_type>;
  } else if constexpr (std::is_enum_v<T>) {
    return enum_names<T>;
  } else {
    return {};
  }
}

}  // namespace detail

template <class T>
void Parameters::add(Parameter row, T& member) {
  row.type = row.integer ? ParameterType::integer : detail::type_of<T>();
  row.optional = detail::is_optional<T>;
  if (row.choices.empty()) row.choices = detail::choices_of<T>();
  rows_.push_back({row, detail::to_value(member)});
  bindings_.push_back({[&member] { return detail::to_value(member); },
                       [&member](const Value& value) { detail::assign(member, value); }});
}

}  // namespace espalier
