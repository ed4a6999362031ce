#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/forest/forest.hpp"

namespace espalier {

/// Vertices of one forest in ascending order, each with a count: the number of its occurrences in
/// an example, or a real weight where weighted examples were added up.
struct Bag {
  std::span<const Occurrence> occurrences;
  const double* weights = nullptr;  ///< per occurrence, in place of its count; or null

  std::size_t size() const { return occurrences.size(); }
  VertexId vertex(std::size_t k) const { return occurrences[k].vertex; }
  double count(std::size_t k) const {
    return weights != nullptr ? weights[k] : static_cast<double>(occurrences[k].count);
  }
};

/// A sparse weight vector: ascending ids, each with a weight.
struct SparseWeights {
  std::vector<std::uint32_t> ids;
  std::vector<double> weights;
};

/// The examples of a data set as a tree kernel sees them: one bag of vertices each. The bag of an
/// example without a tree is empty.
class Bags {
 public:
  explicit Bags(const Forest& forest) : forest_(&forest) {}

  /// A tree of the forest, or `none`.
  void add(TreeId tree) {
    bags_.push_back({tree == none ? std::span<const Occurrence>() : forest_->occurrences(tree)});
  }
  /// Several trees of the forest, merged into one bag.
  void add(std::span<const TreeId> trees);
  /// Weighted vertices. The bag refers to the weights.
  void add(const SparseWeights& vertices);

  /// Some of the bags, which refer to these.
  Bags select(std::span<const std::uint32_t> examples) const {
    Bags out(*forest_);
    for (const std::uint32_t example : examples) out.bags_.push_back(bags_[example]);
    return out;
  }

  const Forest& forest() const { return *forest_; }
  std::size_t size() const { return bags_.size(); }
  /// Whether there are vertices with weights, as those of a model.
  bool are_weighted() const;
  const Bag& operator[](std::size_t i) const { return bags_[i]; }

 private:
  const Forest* forest_;
  std::vector<Bag> bags_;
  std::vector<std::vector<Occurrence>> merged_;  ///< storage of some of bags_
};

/// The indices [begin, end).
template <class Index>
struct IndexRange {
  Index begin = 0;
  Index end = 0;
  Index size() const { return end - begin; }
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// Rows or columns of a block: consecutive examples.
using Slice = IndexRange<std::size_t>;

/// View of a dense block: element (i, j) is data[i * stride + j].
template <class T>
struct BlockView {
  T* data = nullptr;
  std::size_t stride = 0;
  T* row(std::size_t i) const { return data + i * stride; }
};

}  // namespace espalier
