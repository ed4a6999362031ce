#pragma once

// Serialisation of functions in a model file: see base/archive.hpp.

#include <algorithm>
#include <functional>

#include "data/archive.hpp"
#include "gram/function_node.hpp"

namespace espalier {

/// The largest number of outputs of any part.
std::size_t output_count(const FunctionNode& node);

/// Throws Error unless the list of subtrees is consistent and each has a weight.
void check_learned(const SubtreeWeights& learned);

/// Throws Error unless all vectors are present.
void check_words(const WordVectors& words);

/// Throws Error unless the kernel has dense vectors and there are weights for all of their entries.
void check_dense(const DenseFunction& function);

/// Sets `node` to an empty node of that kind. Returns false if there is no such kind.
bool emplace_kind(FunctionNode& node, std::size_t kind);

template <class Archive>
void archive(Archive& a, KernelNode& node) {
  // As text: independent of the version, and validated by parsing.
  std::string text = Archive::reading ? std::string() : Kernel(node).to_string();
  a(text);
  if constexpr (Archive::reading) node = Kernel(text).root();
}

template <class Archive>
void archive(Archive& a, Sides& sides) {
  a(sides.row_member, sides.column_member, sides.tree);
}

template <class Archive>
void archive(Archive& a, VertexList& list) {
  a(list.labels, list.label, list.child_begin, list.children);
}

template <class Archive>
void archive(Archive& a, SubtreeWeights& learned) {
  a(learned.subtrees, learned.weights);
  if constexpr (Archive::reading) check_learned(learned);
}

template <class Archive>
void archive(Archive& a, WordVectors& words) {
  a(words.dimension, words.words, words.row, words.values, words.mean);
  if constexpr (Archive::reading) check_words(words);
}

/// A part of a KernelState.
template <class Archive, class T>
void archive(Archive& a, std::map<std::string, std::shared_ptr<const T>>& all) {
  std::vector<Named<T>> list;
  list.reserve(all.size());
  for (const auto& [name, value] : all) list.push_back({name, *value});
  a(list);
  if constexpr (Archive::reading) {
    for (auto& [name, value] : list) all[name] = std::make_shared<T>(std::move(value));
  }
}

template <class Archive>
void archive(Archive& a, SparseWeights& weights) {
  a(weights.ids, weights.weights);
}

template <class Archive>
void archive(Archive& a, Forest& forest) {
  ForestOptions options = forest.options();
  VertexList list;
  if constexpr (!Archive::reading) {
    std::vector<VertexId> all(forest.vertex_count());
    for (VertexId v = 0; v < all.size(); ++v) all[v] = v;
    list = forest.list(all);
  }
  a(options.ordered, options.labelled, list);
  if constexpr (Archive::reading) {
    forest = Forest(options);
    forest.add(list);
    if (forest.vertex_count() != list.size()) throw Error("subtrees are not distinct");
  }
}

template <class Archive>
void archive(Archive& a, LabelTable& table) {
  std::vector<std::string> texts;
  for (LabelId id = 0; id < table.size(); ++id) texts.emplace_back(table.text(id));
  a(texts);
  if constexpr (Archive::reading) {
    table = {};
    for (const std::string& text : texts) table.intern(text);
  }
}

/// Throws Error unless the ids are ascending and less than `count`, each with a weight.
inline void check_weights(const std::vector<SparseWeights>& all, std::size_t count) {
  for (const SparseWeights& weights : all) {
    const bool rising =
        std::ranges::adjacent_find(weights.ids, std::greater_equal()) == weights.ids.end();
    if (weights.ids.size() != weights.weights.size() || !rising ||
        (!weights.ids.empty() && weights.ids.back() >= count)) {
      throw Error("weights do not fit what they belong to");
    }
  }
}

template <class Archive>
void archive(Archive& a, TreeFunction& function) {
  KernelNode kernel{function.kernel};
  a(kernel, function.sides, function.all_trees, function.forest, function.weights);
  if constexpr (Archive::reading) {
    const auto* leaf = std::get_if<TreeKernelNode>(&kernel.what);
    if (leaf == nullptr) throw Error("a tree kernel was expected");
    function.kernel = *leaf;
    check_weights(function.weights, function.forest.vertex_count());
  }
}

template <class Archive>
void archive(Archive& a, VectorFunction& function) {
  a(function.vector, function.sides, function.dense, function.dimension, function.features,
    function.weights);
  if constexpr (Archive::reading) {
    check_weights(function.weights, function.dense ? function.dimension : function.features.size());
  }
}

template <class Archive>
void archive(Archive& a, DenseFunction& function) {
  a(function.kernel, function.sides, function.all_trees, function.weights);
  if constexpr (Archive::reading) check_dense(function);
}

template <class Archive>
void archive(Archive& a, ConstantFunction& constant) {
  a(constant.value, constant.sums);
}

template <class Archive>
void archive(Archive& a, NormFunction& norm) {
  a(norm.kernel, norm.sides, norm.below);
  if (norm.below.size() != 1) throw Error("a norm has one kernel");
}

template <class Archive>
void archive(Archive& a, SumFunction& sum) {
  a(sum.factor, sum.parts);
}

template <class Archive>
void archive(Archive& a, EachFunction& each) {
  a(each.kernel, each.sides, each.names, each.parts);
  if (each.names.size() != each.parts.size()) throw Error("a name is missing");
}

template <class Archive>
void archive(Archive& a, SupportFunction& support) {
  a(support.kernel, support.examples, support.coefficients);
  for (const auto& coefficients : support.coefficients) {
    if (coefficients.size() != support.examples.size()) throw Error("a coefficient is missing");
  }
}

/// The number of the kind, then its members.
template <class Archive>
void archive(Archive& a, FunctionNode& node) {
  auto kind = static_cast<std::uint8_t>(node.what.index());
  a(kind);
  if constexpr (Archive::reading) {
    if (!emplace_kind(node, kind)) throw Error("a kind of function is unknown");
  }
  std::visit([&](auto& function) { a(function); }, node.what);
}

}  // namespace espalier
