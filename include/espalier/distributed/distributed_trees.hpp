#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/distributed/options.hpp"
#include "espalier/forest/forest.hpp"

namespace espalier {

/// Distributed trees: dense vectors of trees, in linear time (Zanzotto & Dell'Arciprete 2012,
/// "Distributed tree kernels"). Dot products estimate a tree kernel divided by the decay; the error
/// decreases with 1/sqrt(dimension).
///
/// A leaf of a fragment is the vector of its label. A node n with children c_1 .. c_k is
/// `s(n) = n (x) (x_1 (x) (x_2 (x) .. x_k))`, where `x_i = c_i + sqrt(decay) s(c_i)` for subset
/// trees; `x_i = sqrt(decay) s(c_i)`, or c_i for a leaf, for subtrees. For subpaths `s(n) = n +
/// sqrt(decay) n (x) (s(c_1) + .. + s(c_k))`. The vector of a tree is the sum over its nodes;
/// s(leaf) = 0 except for subpaths.
///
// clang-format off
/// **Label vectors** have the same bits on every machine. All components are +-1/sqrt(d), the
/// distribution of this variance with the smallest fourth moment, so that products of any number of
/// labels have length 1. With SplitMix64's `mix`, let `r_j(z) = mix(z + (j+1) 0x9E3779B97F4A7C15)` be
/// output j of the generator with seed z (base/random.hpp).
///
///     h = FNV-1a of the label's bytes (64 bits)
///     z = r_0(r_0(r_0(seed) ^ h) + k)         k: number of children kept, 0 for a leaf of a fragment
///     w_2j, w_2j+1 = lower, upper half of r_j(z)                           32-bit words
///     component 256 g + 8 b + l is negative if bit 31-b of w_(8g+l) is set        b < 32, l < 8
///
/// **Shuffles** p1 and p2 permute components within slices. For the product there are max(1, d/1024)
/// slices of 1024 components, the last one with the remainder; for the convolution there is one. In a
/// slice whose size is a multiple of 8, blocks of 8 are permuted, and so are the components of each:
///
///     p(v)[8 i + l] = v[8 order[i] + lane[l]]
///     lane = 2 5 0 7 1 4 3 6 for p1,  4 3 6 0 7 2 1 5 for p2
///
/// Other slices are permuted by single components, p(v)[i] = v[order[i]]. `order` is
/// Random(z).shuffle of 0, 1, 2, .. with
///
///     z = r_0(r_0(r_0(seed ^ 0x73687566666C6573) + d) + 2 slice + side)      side: 0 for p1, 1 for p2
// clang-format on
///
/// **Composition.** Product: `a (x) b = sqrt(d) p1(a) .* p2(b)`. Slices are independent, so one
/// slice of all vectors of a tree fits into the cache. Convolution: p1(a) circularly convolved with
/// p2(b), minus the mean of its components: shuffling does not change the mean, and without this
/// the means of many labels multiply and dominate everything else.
///
/// **The papers' recipe** (recipe=papers) has label vectors of length 1 whose components are
/// normally distributed: with the generator of seed r_0(r_0(r_0(seed) ^ h)), each component is the
/// number of ones in four outputs, minus 128.5, plus a uniform number. p1 and p2 permute all
/// components, p(v)[i] = v[order[i]], with the `order` of slice 0. The product has the factor
/// gamma, 1 over the mean length of p1(a) .* p2(b) for 32 pairs of labels, instead of sqrt(d); the
/// convolution keeps its mean. k is always 0.
///
/// **Range.** Entries are single precision. Where the product of the children of a node may leave
/// its range, s(n) is computed in double precision beside a power of two, one for each slice.
///
/// Immutable; one instance may serve many threads.
class DistributedTrees {
 public:
  /// Throws Error if an option is out of range, and for a convolution if the dimension is not a
  /// power of two.
  explicit DistributedTrees(const DistributedTreeOptions& options = {});

  const DistributedTreeOptions& options() const;

  /// One row for each tree; zeros for an empty one. Each distinct subtree is evaluated once. Uses
  /// context.memory (more if a single tree needs it), in addition to the result and 3/8 byte per
  /// dimension and distinct label. The bits do not depend on threads or memory, and are those of
  /// DistributedTreeStream. Throws Error if a vector is outside the range of single precision, and
  /// for an unordered forest.
  Matrix<float> transform(const Forest& forest, const Context& context = {}) const;
  /// The same for some of the trees, written to consecutive `rows`; zeros for `none`.
  void transform(const Forest& forest, std::span<const TreeId> trees, float* rows,
                 const Context& context = {}) const;

  /// The same beside a power of two, which always fits: the vector of trees[i] is row i times
  /// 2^exponents[i], where the exponent is 0 unless the vector is outside the range of single
  /// precision. Returns the exponents.
  std::vector<int> transform_scaled(const Forest& forest, std::span<const TreeId> trees,
                                    float* rows, const Context& context = {}) const;

  /// The vector of a label, as a leaf of a fragment or as a node that keeps `arity` children.
  std::vector<float> label_vector(std::string_view label, std::uint32_t arity = 0) const;
  /// a (x) b. Requires vectors of this dimension.
  std::vector<float> compose(std::span<const float> a, std::span<const float> b) const;

 private:
  friend class DistributedTreeStream;
  struct State;
  std::shared_ptr<const State> state_;
};

/// Embeds one tree at a time. Caches up to 256 MiB of label vectors. Each thread needs its own.
class DistributedTreeStream {
 public:
  explicit DistributedTreeStream(const DistributedTrees& trees);
  DistributedTreeStream(DistributedTreeStream&&) noexcept;
  DistributedTreeStream& operator=(DistributedTreeStream&&) noexcept;
  ~DistributedTreeStream();

  /// O(nodes * dimension). Requires row.size() to be the dimension. Throws Error if the vector
  /// is outside the range of single precision.
  void transform(const Tree& tree, std::span<float> row);
  /// The same beside a power of two, which always fits and is returned.
  int transform_scaled(const Tree& tree, std::span<float> row);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace espalier
