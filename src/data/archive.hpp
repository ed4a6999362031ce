#pragma once

// Serialisation of examples: see base/archive.hpp.

#include "base/archive.hpp"
#include "espalier/data/dataset.hpp"

namespace espalier {

/// The tree whose nodes in preorder have these numbers of children and, in `text`, labels of these
/// lengths. Throws Error unless they form one tree, or an empty one.
Tree tree_from(std::string_view text, const std::vector<std::uint32_t>& lengths,
               const std::vector<std::uint32_t>& children);

template <class Archive, class T>
void archive(Archive& a, Named<T>& named) {
  a(named.name, named.value);
}

template <class Archive>
void archive(Archive& a, Label& label) {
  a(label.name, label.value);
}

template <class Archive>
void archive(Archive& a, Tree& tree) {
  std::string text;
  std::vector<std::uint32_t> lengths, children;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    text += tree.label(node);
    lengths.push_back(static_cast<std::uint32_t>(tree.label(node).size()));
    children.push_back(tree.children(node));
  }
  a(text, lengths, children);
  if constexpr (Archive::reading) tree = tree_from(text, lengths, children);
}

template <class Archive>
void archive(Archive& a, FeatureVector& vector) {
  a(vector.dense, vector.features, vector.values);
  if (!vector.dense && vector.features.size() != vector.values.size()) {
    throw Error("a feature is missing");
  }
}

template <class Archive>
void archive(Archive& a, Example& example) {
  a(example.labels, example.trees, example.vectors, example.texts, example.members);
  if (!example.members.empty() && example.members.size() != 2) {
    throw Error("a pair has two members");
  }
}

template <class Archive>
void archive(Archive& a, Dataset& data) {
  std::string bytes = Archive::reading ? std::string() : data.save();
  a(bytes);
  if constexpr (Archive::reading) data = Dataset::load(bytes);
}

}  // namespace espalier
