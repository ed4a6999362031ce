#pragma once

#include <string>
#include <string_view>

#include "espalier/data/example.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/io/format.hpp"

namespace espalier::python {

/// Turns texts into examples, one each.
class TextReader {
 public:
  TextReader(ReadOptions options, std::string name);

  /// `place` is for errors. Throws InputError.
  void read(std::string_view text, const std::string& place, Example& example);

 private:
  void read_tree(std::string_view text, const std::string& place, Example& example);
  void read_document(std::string_view text, const std::string& place, Example& example);
  const Format& format_of(std::string_view text, const std::string& place) const;

  ReadOptions options_;
  std::string name_;
  BracketParser parser_;
};

}  // namespace espalier::python
