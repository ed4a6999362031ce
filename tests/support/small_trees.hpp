#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "support/examples.hpp"
#include "support/fragments.hpp"
#include "support/trees.hpp"

namespace espalier::test {

/// A tree of `nodes` nodes that is bushy, deep or wide by turns, with one of the first `labels`
/// letters at every node: inner nodes and leaves share them.
inline PlainTree random_shape(Random& random, std::size_t nodes, std::size_t labels) {
  std::vector<std::vector<std::size_t>> children(nodes);
  const std::size_t kind = random.below(4);
  for (std::size_t i = 1; i < nodes; ++i) {
    std::size_t parent = random.below(i);                                       // bushy
    if (kind == 0) parent = i - 1 - random.below(std::min<std::size_t>(2, i));  // deep
    if (kind == 1) parent = random.below(i / 3 + 1);                            // wide
    children[parent].push_back(i);
  }
  const auto build = [&](auto& self, std::size_t node) -> PlainTree {
    PlainTree out{std::string(1, static_cast<char>('a' + random.below(labels))), {}};
    for (const std::size_t child : children[node]) out.children.push_back(self(self, child));
    return out;
  };
  return build(build, 0);
}

/// Trees of up to `most` nodes over few labels, so that they share much; one in thirty is empty.
inline std::vector<MaybeTree> random_trees(Random& random, std::size_t count, std::size_t most) {
  const std::size_t labels = 1 + random.below(4);
  std::vector<MaybeTree> out(count);
  for (MaybeTree& tree : out) {
    if (random.one_in(30)) continue;
    tree = random_shape(random, 1 + random.below(most), labels);
  }
  return out;
}

inline Tree to_tree(const MaybeTree& tree) { return tree ? to_tree(*tree) : Tree(); }

/// A data set with one tree, called "t", in every example.
inline Dataset dataset_of(std::span<const Tree> trees) {
  Dataset data;
  for (const Tree& tree : trees) data.add(ExampleOf().tree("t", tree));
  return data;
}

inline Dataset dataset_of(std::span<const MaybeTree> trees) {
  std::vector<Tree> all;
  for (const MaybeTree& tree : trees) all.push_back(to_tree(tree));
  return dataset_of(all);
}

inline Dataset dataset_of(std::initializer_list<std::string_view> brackets) {
  std::vector<Tree> all;
  for (const std::string_view text : brackets) all.push_back(tree(text));
  return dataset_of(all);
}

}  // namespace espalier::test
