#pragma once

// The coordinates of trees in the space of fragments, by the enumeration of fragments.hpp.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "espalier/fragments/fragment.hpp"
#include "support/fragments.hpp"

namespace espalier::test {

/// The value of one occurrence: what the products of these in two trees add up to is the kernel.
inline double value_of(const Fragment& fragment, const SubsetTreeOptions& options) {
  return std::pow(options.decay, std::max(fragment.expanded, 1U) / 2.0);
}
inline double value_of(const Fragment& fragment, const PartialTreeOptions& options) {
  return std::pow(options.depth_decay, fragment.nodes / 2.0) *
         std::pow(options.decay, fragment.leaves() + fragment.gaps);
}
inline double value_of(const Fragment& fragment, const SubpathOptions& options) {
  return std::pow(options.decay, fragment.nodes / 2.0);
}
inline double value_of(const Fragment& fragment, const SubtreeOptions& options) {
  return std::sqrt(weight(fragment, options));
}

inline std::uint32_t size_of(const Fragment& fragment, const SubsetTreeOptions&) {
  return std::max(fragment.expanded, 1U);
}
template <class Options>
std::uint32_t size_of(const Fragment& fragment, const Options&) {
  return fragment.nodes;
}

/// A fragment of one tree.
struct Coordinate {
  double value = 0;  ///< of all occurrences together
  std::uint32_t size = 0;
};
using Coordinates = std::map<std::string, Coordinate>;

template <class Options>
Coordinates coordinates(const MaybeTree& tree, const Options& options,
                        const std::vector<std::string>& labels) {
  Coordinates out;
  const Fragments sorted = sorted_fragments(tree, options, labels);
  for (std::size_t at = 0; at < sorted.size();) {
    const auto run = run_at(sorted, at);
    at += run.size();
    double sum = 0;
    for (const Fragment& fragment : run) sum += value_of(fragment, options);
    if constexpr (std::is_same_v<Options, SubtreeOptions>) {
      const auto count = static_cast<double>(run.size());
      sum = value_of(run[0], options) * std::sqrt(combined(count, count, options));
    }
    out[run[0].text] = {sum, size_of(run[0], options)};
  }
  return out;
}

/// With the values divided by their length.
inline Coordinates normalised(Coordinates all) {
  double square = 0;
  for (const auto& [text, entry] : all) square += entry.value * entry.value;
  for (auto& [text, entry] : all) entry.value /= std::sqrt(square);
  return all;
}

/// A tree kernel, perhaps within norm(..), and its coordinates by enumeration.
class FragmentOracle {
 public:
  explicit FragmentOracle(const Kernel& kernel) : kernel_(kernel) {}

  Coordinates operator()(const MaybeTree& tree) const {
    Coordinates out;
    visit([&](const auto& options) {
      if constexpr (requires { value_of(Fragment(), options); }) {
        out = coordinates(tree, options, leaf().labels);
      }
    });
    return is_norm() ? normalised(std::move(out)) : out;
  }

  /// The text by which the enumeration knows a fragment.
  std::string text(const espalier::Fragment& fragment) const {
    std::string out;
    visit([&]<class Options>(const Options& options) {
      const PlainTree plain = to_plain(fragment.tree);
      if constexpr (std::is_same_v<Options, SubtreeOptions>) {
        out = complete_subtree(plain, options).text;
      } else {
        out = complete_subtree(plain, {}).text;
      }
    });
    return out;
  }

 private:
  bool is_norm() const { return std::holds_alternative<CombinationNode>(kernel_.root().what); }
  const TreeKernelNode& leaf() const {
    const KernelNode& leaf =
        is_norm() ? std::get<CombinationNode>(kernel_.root().what).operands[0] : kernel_.root();
    return std::get<TreeKernelNode>(leaf.what);
  }
  template <class Visit>
  void visit(Visit&& visit) const {
    std::visit(visit, leaf().options);
  }

  Kernel kernel_;
};

}  // namespace espalier::test
