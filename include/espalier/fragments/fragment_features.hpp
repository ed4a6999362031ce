#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/sparse_matrix.hpp"
#include "espalier/fragments/top_fragments.hpp"

namespace espalier {

/// Features of all fragments up to a size, without a model.
struct HashedFragmentOptions {
  std::size_t max_size = 3;
  std::size_t hash_dim = std::size_t{1} << 18;

  static void describe(auto& self, auto&& field) {
    field("hash_dim", self.hash_dim,
          "number of columns that all fragments up to max_size are hashed to, a power of two",
          {.range = {0, 0x1p24}, .common = true});
    field("max_size", self.max_size,
          "most productions (sst) or nodes of a hashed fragment; the number of fragments grows "
          "fast with it",
          {.range = {1, 64}, .needs = "hash_dim", .common = true});
  }
};

/// Sparse feature vectors with a column for each of some fragments, and the value of the fragment
/// in the example: lambda^(s/2) N_p(x) for SST, over the norm of the example for norm(..). If all
/// fragments have a column, the dot product of two rows is the kernel.
///
/// Fragments are found once for each distinct subtree of the data, by following the chosen ones
/// step by step, all subtrees together, so that only those that match cost time. Copies share what
/// they know. Const members may be called from many threads.
class FragmentFeatures {
 public:
  /// A fragment with a column.
  struct Chosen {
    Fragment fragment;
    std::uint32_t term = 0;      ///< index into terms()
    std::uint64_t subtrees = 0;  ///< distinct subtrees of the functions that it was rooted at
  };

  /// The union of the options.top heaviest fragments of each score, see top_fragments(). Throws
  /// Error if a part of the kernel has no fragments, or compares a member of a pair with the other.
  FragmentFeatures(const KernelFunctions& functions, const Matrix<double>& scores,
                   const FragmentOptions& options, const Context& context = {},
                   std::vector<std::uint32_t> searched = {});

  /// All fragments up to a size, hashed to columns with a sign (Weinberger et al. 2009). There is
  /// nothing to fit: the row of an example is the same on every machine, whatever else is in the
  /// data. norm(..) divides by the length of the vector of these fragments. Throws Error as above,
  /// and for each(..), whose trees are not known.
  FragmentFeatures(const FittedKernel& kernel, const HashedFragmentOptions& options);

  /// The same columns, where a value is whether the fragment occurs, and rows have length 1.
  /// Requires chosen ones.
  FragmentFeatures binary() const;

  std::size_t columns() const;
  bool hashed() const;
  /// One for each column; empty if they are hashed.
  std::span<const Chosen> chosen() const;
  /// The tree kernels in the kernel: see fragment_terms().
  std::vector<std::string> terms() const;
  /// The fragment of a column, in brackets, after its tree kernel if there are several; of hashed
  /// columns the number, from 1.
  std::string name(std::size_t column) const;

  /// A row for each example. Rows have the same bits for any number of threads, any memory, and
  /// whatever other examples there are.
  SparseMatrix transform(const Dataset& data, const Context& context = {}) const;

  /// The exact decomposition of the products of the rows with `weights`, which are those of all
  /// outputs for the first column, then for the second, and so on: by subtree, the contribution of
  /// all fragments rooted there; of binary features, each occurrence has its share.
  std::vector<Contributions> contributions(const Dataset& data, std::span<const float> weights,
                                           const Context& context = {}) const;

  /// In which examples of a data set the fragments occur, and how often; one for each column.
  /// Requires chosen ones.
  struct Support {
    std::uint64_t examples = 0;         ///< that contain it
    std::uint64_t occurrences = 0;      ///< nodes that it is rooted at
    std::vector<FragmentPlace> places;  ///< in the first two of these examples
  };
  std::vector<Support> support(const Dataset& data, const Context& context = {}) const;

  /// Serialisation without the kernel, which is given again. Loading throws Error for bytes that
  /// save() did not write.
  std::string save() const;
  static FragmentFeatures load(std::string_view bytes, const FittedKernel& kernel);

 private:
  struct State;
  explicit FragmentFeatures(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

}  // namespace espalier
