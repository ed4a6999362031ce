#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/forest/forest.hpp"

namespace espalier {

/// Occurrences of a fragment. `places` has `stride` vertices for each: first the one that the
/// fragment is rooted at, then those at which it may grow, whose meaning depends on the kernel.
struct Matches {
  std::size_t stride = 1;
  std::vector<VertexId> places;
  std::vector<double> values;  ///< of the fragment, in this occurrence

  std::size_t size() const { return values.size(); }
  const VertexId* operator[](std::size_t match) const { return places.data() + match * stride; }
  /// Makes one match of those with the same places: their values add up.
  void merge_equal();
};

/// One extension of a fragment.
struct FragmentStep {
  std::uint32_t previous = none;  ///< the step before, or none
  std::uint32_t node = 0;         ///< the node of the fragment that grows, by order of creation
  VertexId vertex = none;         ///< an example: what is added is as in this vertex
  std::uint32_t position = 0;     ///< route kernel: of the added node
};

/// A fragment in the search.
struct FragmentState {
  std::uint32_t step = none;  ///< the last one
  std::uint32_t size = 0;     ///< s(p)
  std::uint32_t nodes = 0;
  double value = 0;                  ///< what is searched for: weight or contribution
  double bound = 0;                  ///< of the absolute values of all extensions
  std::uint64_t order = 0;           ///< of discovery
  std::vector<std::uint32_t> shape;  ///< about the nodes at which it may grow, by kernel
  Matches matches;
};

/// Products of bounds, which may be infinite: an impossible extension stays impossible.
inline double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

/// The vertices' weights in a score and, if contributions are searched for, their values in the
/// example.
struct FragmentObjective {
  std::span<const double> weights;  ///< empty if all sums are 0, and of no interest
  std::span<const double> counts;   ///< empty unless contributions are searched for
};

/// Adds up the matches of one fragment.
class FragmentSums {
 public:
  explicit FragmentSums(const FragmentObjective& objective) : objective_(objective) {}

  /// `extension` bounds the factor by which an extension of this match can differ from it; 0 if
  /// there is none.
  void add(VertexId root, double value, double extension) {
    if (objective_.weights.empty()) return;
    const double weight = objective_.weights[root] * value;
    weight_ += weight;
    (weight > 0 ? positive_ : negative_) += times(std::abs(weight), extension);
    if (objective_.counts.empty()) return;
    const double count = objective_.counts[root] * value;
    count_ += count;
    most_count_ += times(count, extension);
  }

  double value() const { return objective_.counts.empty() ? weight_ : weight_ * count_; }
  /// Weights of opposite sign may fall away one by one, so those of one sign bound the sum.
  double bound() const {
    const double weight = std::max(positive_, negative_);
    return objective_.counts.empty() ? weight : times(weight, most_count_);
  }

 private:
  const FragmentObjective& objective_;
  double weight_ = 0, positive_ = 0, negative_ = 0;
  double count_ = 0, most_count_ = 0;
};

}  // namespace espalier
