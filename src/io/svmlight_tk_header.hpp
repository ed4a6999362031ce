#pragma once

#include <map>
#include <string>
#include <string_view>

#include "espalier/base/error.hpp"
#include "espalier/io/source.hpp"

namespace espalier {

/// The head of a model file: a line with the version, then one "value # what it is" a line down to
/// the threshold. Parameters of the kernel are known by their flag, "-d", and the type of the
/// kernel by "-t", all else by the words in the file.
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

  // What a line says; InputError if there is no such line or it says something else.
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
