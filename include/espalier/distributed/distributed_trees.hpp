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

/// Trees as dense vectors in one linear pass (Zanzotto & Dell'Arciprete 2012, "Distributed tree
/// kernels"). Dot products of these vectors estimate a tree kernel divided by the decay; the error
/// of one of them falls with 1/sqrt(dimension).
///
/// A leaf of a fragment is the vector of its label. A node n with children c_1 .. c_k is
/// `s(n) = n (x) (x_1 (x) (x_2 (x) .. x_k))`, where `x_i = c_i + sqrt(decay) s(c_i)` for subset
/// trees; `x_i = sqrt(decay) s(c_i)`, or c_i for a leaf, for subtrees. For subpaths `s(n) = n +
/// sqrt(decay) n (x) (s(c_1) + .. + s(c_k))`. The vector of a tree is the sum over its nodes;
/// s(leaf) = 0 but for subpaths.
///
/// **Vectors of labels**, the same bits on every machine. All entries are +-1/sqrt(d): of all
/// distributions with this variance the one with the least fourth moment, so that products of any
/// number of labels have length 1. With SplitMix64's `mix` and the output number j of the generator
/// that starts at z, `r_j(z) = mix(z + (j+1) 0x9E3779B97F4A7C15)` (base/random.hpp):
///     h = FNV-1a of the label's bytes (64 bits)
///     z = r_0(r_0(r_0(seed) ^ h) + k)      k the number of children kept, 0 for a leaf of a
///     fragment 32-bit words:  w_2j = lower, w_2j+1 = upper half of r_j(z) entry 256 g + 8 b + l is
///     negative where bit 31-b of w_(8g+l) is set       (b < 32, l < 8)
///
/// **Shuffles.** The entries are cut into slices: 1024 each for the product, the last one with what
/// is left over (none if d < 2048); a single one for the convolution. In a slice of m entries
/// that 8 divides, blocks of 8 change places and their entries change places within:
///     p(v)[8 i + l] = v[8 order[i] + lane[l]],   lane = 2 5 0 7 1 4 3 6 in p1, 4 3 6 0 7 2 1 5 in
///     p2
/// otherwise single entries do: p(v)[i] = v[order[i]]. `order` is Random(z).shuffle of 0, 1, 2, ..
/// with z = r_0(r_0(r_0(seed ^ 0x73687566666C6573) + d) + 2 slice + (0 for p1, 1 for p2)).
///
/// **Composition.** Product: `a (x) b = sqrt(d) p1(a) .* p2(b)`; nothing leaves its slice, so that
/// a slice of all vectors of a tree stays in the cache. Convolution: p1(a) circularly convolved
/// with p2(b), less the mean of its entries: no shuffle changes a mean, and the means of many
/// labels multiply to what drowns everything else.
///
/// Immutable; one instance may serve many threads.
class DistributedTrees {
 public:
  /// Throws Error where an option is out of its range, and for a convolution in a dimension that is
  /// not a power of two.
  explicit DistributedTrees(const DistributedTreeOptions& options = {});

  const DistributedTreeOptions& options() const;

  /// One row for each tree; zeros for an empty one. One evaluation for each distinct subtree;
  /// memory within context.memory as far as a single tree allows, beside the result and 3/8 byte
  /// per dimension and distinct label. The bits depend on neither threads nor memory, and are those
  /// of DistributedTreeStream. Throws Error where the vector of a tree exceeds single precision,
  /// and for a forest that is unordered.
  Matrix<float> transform(const Forest& forest, const Context& context = {}) const;
  /// The same for some of the trees, into `rows`, one after the other; zeros where there is `none`.
  void transform(const Forest& forest, std::span<const TreeId> trees, float* rows,
                 const Context& context = {}) const;

  /// The vector of a label, as a leaf of a fragment or as a node that keeps `arity` children.
  std::vector<float> label_vector(std::string_view label, std::uint32_t arity = 0) const;
  /// a (x) b. Requires both to have the dimension of this.
  std::vector<float> compose(std::span<const float> a, std::span<const float> b) const;

 private:
  friend class DistributedTreeStream;
  struct State;
  std::shared_ptr<const State> state_;
};

/// Turns one tree after the other into its vector. Remembers the vectors of labels it has met, up
/// to 256 MiB of them. Each thread needs its own.
class DistributedTreeStream {
 public:
  explicit DistributedTreeStream(const DistributedTrees& trees);
  DistributedTreeStream(DistributedTreeStream&&) noexcept;
  DistributedTreeStream& operator=(DistributedTreeStream&&) noexcept;
  ~DistributedTreeStream();

  /// Linear in the nodes, times the dimension. Requires row.size() to be the dimension. Throws
  /// Error where the vector exceeds single precision.
  void transform(const Tree& tree, std::span<float> row);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace espalier
