#pragma once

#include "espalier/io/format.hpp"
#include "io/notation.hpp"

namespace espalier {

/// The columns of a line "class TAB [id TAB ..] rest": class and texts go to `example`, the rest
/// comes back. An empty class is none.
Text read_columns(const Text& line, Example& example);

/// Readers of one example a line: class TAB [id TAB ..] tree, in any notation.
class LineReader : public ExampleReader {
 public:
  LineReader(Source source, std::unique_ptr<Notation> notation)
      : source_(std::move(source)), notation_(std::move(notation)) {}
  bool next(Example& example) override;

 protected:
  /// What stands before the tree, and is not part of it: moves it to `example`.
  virtual Text before_tree(const Text& rest, Example&) { return rest; }

 private:
  Source source_;
  std::unique_ptr<Notation> notation_;
};

}  // namespace espalier
