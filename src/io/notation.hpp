#pragma once

#include <memory>
#include <string_view>

#include "espalier/forest/tree.hpp"
#include "espalier/io/read_options.hpp"
#include "espalier/io/source.hpp"

/// A notation for one tree, used by readers of lines and of tables.
namespace espalier {

class Notation {
 public:
  virtual ~Notation() = default;
  /// Parses one tree, which is the whole text apart from surrounding blanks. Throws InputError.
  virtual void parse(const Text& text, Tree& tree) = 0;
};

std::unique_ptr<Notation> newick_notation(const ReadOptions& options);
std::unique_ptr<Notation> glycan_notation(const ReadOptions& options);
std::unique_ptr<Notation> terms_notation(const ReadOptions& options);
std::unique_ptr<Notation> bracket_notation(const ReadOptions& options);

}  // namespace espalier
