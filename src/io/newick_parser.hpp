#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "espalier/io/limited_builder.hpp"
#include "io/notation.hpp"

namespace espalier {

/// Moves the next statement of a Newick or Nexus file, up to and including a ';' outside of quotes
/// and comments, to `out`; false if only blanks are left.
bool take_statement(Source& source, std::string& out);

/// The first position from `at` on that is neither blank nor within a comment "[..]".
std::size_t skip_comments(const Text& text, std::size_t at);

/// Newick: "((a,b)ab:0.5,'c d')root;". Comments, and so the annotations of NHX, are dropped.
class NewickParser final : public Notation {
 public:
  explicit NewickParser(const ReadOptions& options)
      : builder_(options.limits), lengths_(options.mapping.lengths) {}

  void parse(const Text& text, Tree& tree) override;

  /// Reads a word or quoted label at `at` and advances; empty if there is none.
  std::string read_word(const Text& text, std::size_t& at) const;

  /// The translate table of a Nexus file.
  std::unordered_map<std::string, std::string> translate;

 private:
  struct Node {
    std::size_t at;     ///< in the text
    std::size_t depth;  ///< the root has 0
    std::string label;
  };
  void read_nodes(const Text& text);
  void open_node(const Text& text, std::size_t at, std::size_t depth);
  std::size_t read_label(const Text& text, std::size_t at, Node& node) const;

  LimitedBuilder builder_;
  bool lengths_;
  std::vector<Node> nodes_;        ///< in preorder
  std::vector<std::size_t> open_;  ///< inner nodes whose bracket is open
};

}  // namespace espalier
