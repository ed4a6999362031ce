#pragma once

#include <map>
#include <string>
#include <string_view>

#include "espalier/base/error.hpp"
#include "espalier/io/source.hpp"

namespace espalier {

/// The header of a model file: a line with the version, then lines "value # description" down to
/// the threshold. Kernel parameters are identified by their flag, such as "-d", the type of the
/// kernel by "-t", and everything else by its description.
class SvmlightTkHeader {
 public:
  static constexpr std::string_view features = "highest feature index";
  static constexpr std::string_view examples = "number of training documents";
  static constexpr std::string_view support = "number of support vectors plus 1";
  static constexpr std::string_view threshold = "threshold b";

  /// Reads up to the first support vector. Throws InputError.
  explicit SvmlightTkHeader(Source& source);

  const std::string& version() const { return version_; }
  bool has(std::string_view name) const { return entries_.contains(name); }

  // The value of a line; InputError if there is no such line or its value is not of that type.
  double number(std::string_view name) const;
  double number_within(std::string_view name, double low, double high) const;
  double whole_number_within(std::string_view name, double low, double high) const;
  /// A single character.
  char letter(std::string_view name) const;

  /// Throws InputError for the value of that name.
  [[noreturn]] void fail(std::string_view name, std::string_view message) const;

 private:
  struct Entry {
    std::string value;
    Location location;
  };

  void add(const Text& line, std::uint64_t line_number, std::string_view file);
  const Entry& entry(std::string_view name) const;

  std::string version_;
  std::map<std::string, Entry, std::less<>> entries_;
  Location end_;  ///< of the threshold, the last line
};

}  // namespace espalier
