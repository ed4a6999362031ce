#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/forest/forest.hpp"

namespace espalier {

/// Vertices of one forest in rising order, each with how often it counts: how often it occurs in an
/// example, or any number where examples were weighed and added up.
struct Bag {
  std::span<const Occurrence> occurrences;
  const double* weights = nullptr;  ///< one for each occurrence, in place of its count

  std::size_t size() const { return occurrences.size(); }
  VertexId vertex(std::size_t k) const { return occurrences[k].vertex; }
  double count(std::size_t k) const {
    return weights != nullptr ? weights[k] : static_cast<double>(occurrences[k].count);
  }
};

/// Numbers of something, rising, each with a weight.
struct SparseWeights {
  std::vector<std::uint32_t> ids;
  std::vector<double> weights;
};

/// The examples of a data set as a tree kernel sees them. An example without a tree is empty.
class Bags {
 public:
  explicit Bags(const Forest& forest) : forest_(&forest) {}

  /// A tree of the forest, or `none`.
  void add(TreeId tree) {
    bags_.push_back({tree == none ? std::span<const Occurrence>() : forest_->occurrences(tree)});
  }
  /// Several trees of the forest together.
  void add(std::span<const TreeId> trees);
  /// Vertices with weights, which stay where they are.
  void add(const SparseWeights& vertices);

  const Forest& forest() const { return *forest_; }
  std::size_t size() const { return bags_.size(); }
  /// Whether there are vertices with weights, as those of a model.
  bool are_weighted() const;
  const Bag& operator[](std::size_t i) const { return bags_[i]; }

 private:
  const Forest* forest_;
  std::vector<Bag> bags_;
  std::vector<std::vector<Occurrence>> merged_;  ///< what bags_ may refer to
};

/// Rows or columns of a block: examples [begin, end).
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  friend bool operator==(const Slice&, const Slice&) = default;
};

/// A dense block somewhere in memory: element (i, j) is data[i * stride + j].
template <class T>
struct BlockView {
  T* data = nullptr;
  std::size_t stride = 0;
  T* row(std::size_t i) const { return data + i * stride; }
};

}  // namespace espalier
