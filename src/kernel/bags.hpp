#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/forest/forest.hpp"

namespace espalier {

/// The examples of a data set as a tree kernel sees them: for each, vertices of one forest with how
/// often they occur, in rising order. An example without a tree has none.
class Bags {
 public:
  explicit Bags(const Forest& forest) : forest_(&forest) {}

  /// A tree of the forest, or `none`.
  void add(TreeId tree) {
    bags_.push_back(tree == none ? std::span<const Occurrence>() : forest_->occurrences(tree));
  }
  /// Several trees of the forest together.
  void add(std::span<const TreeId> trees);

  const Forest& forest() const { return *forest_; }
  std::size_t size() const { return bags_.size(); }
  std::span<const Occurrence> operator[](std::size_t i) const { return bags_[i]; }

 private:
  const Forest* forest_;
  std::vector<std::span<const Occurrence>> bags_;
  std::vector<std::vector<Occurrence>> merged_;  ///< what bags_ of several trees refer to
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
