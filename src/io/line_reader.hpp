#pragma once

#include "espalier/io/format.hpp"
#include "io/notation.hpp"

namespace espalier {

/// Splits a line "class TAB [id TAB ..] rest": adds class and texts to `example` and returns the
/// rest. An empty class means no class.
Text read_columns(const Text& line, const ReadLimits& limits, Example& example);

/// Reads one example per line: class TAB [id TAB ..] tree, in any notation.
class LineReader : public ExampleReader {
 public:
  LineReader(Source source, std::unique_ptr<Notation> notation)
      : source_(std::move(source)), notation_(std::move(notation)) {}
  bool next(Example& example) override;
  bool ready() override { return source_.has_line(); }
  bool can_skip() const override { return true; }

 protected:
  /// Moves what precedes the tree to `example`.
  virtual Text before_tree(const Text& rest, Example&) { return rest; }

 private:
  Source source_;
  std::unique_ptr<Notation> notation_;
};

}  // namespace espalier
