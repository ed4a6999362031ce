#pragma once

#include <memory>
#include <optional>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

struct FunctionNode;

/// The size of a KernelFunctions.
struct FunctionsSummary {
  std::uint64_t subtrees = 0;         ///< distinct subtrees in all weighted forests
  std::uint64_t weights = 0;          ///< of subtrees and features
  std::uint64_t support_vectors = 0;  ///< stored whole, for nonlinear kernels

  void fields(auto&& field) const {
    field("subtrees", subtrees);
    field("weights", weights);
    field("support_vectors", support_vectors);
  }
};

/// The contributions of the distinct subtrees of one tree of an example.
struct TreeContributions {
  Slot slot;
  std::vector<VertexId> vertices;     ///< of the data's forest of that name
  std::vector<std::uint32_t> counts;  ///< occurrences of each
  Matrix<double> values;              ///< of one occurrence (row) to each function (column)
};

/// f_o(x) decomposed into the sum over subtrees, each times its count, and a rest.
struct Contributions {
  std::vector<TreeContributions> trees;
  std::vector<Named<std::vector<double>>> rest;  ///< by kernel: what comes from no tree, or not
                                                 ///< from single subtrees; one for each function
};

/// The functions f_o(x) = sum over examples i of c(o, i) K(x_i, x), one for each output o.
///
/// The examples are not stored: since K(x_i, x) is a sum over pairs of subtrees, the coefficients
/// add up to one weight per distinct subtree and output, and all outputs are computed in one pass
/// over this weighted forest, whatever the number of examples. That holds for tree kernels, linear
/// and cosine kernels on vectors, norms, weighted sums and pairs. Nonlinear kernels (products, rbf,
/// poly, kappa=min) store their examples; in a sum, only the nonlinear part does.
class KernelFunctions {
 public:
  explicit KernelFunctions(FittedKernel kernel);

  const FittedKernel& kernel() const { return kernel_; }
  std::size_t outputs() const { return outputs_; }
  FunctionsSummary summary() const;
  /// The weights; for the library's own modules, which know what this is.
  const FunctionNode& root() const { return *root_; }

  /// Replaces what the kernel has loaded, as by the word vectors of more data.
  void set_state(KernelState state) { kernel_.state = std::move(state); }

  /// Adds examples: coefficients(o, i) for output o and example i of `data`. There may be more
  /// outputs than before. Linear in the examples with a nonzero coefficient and in the weights.
  void add(const Dataset& data, const Matrix<double>& coefficients, const Context& context = {});

  /// f_o(x) for each example (row) and output (column). Throws Error if a value is not finite.
  Matrix<double> operator()(const Dataset& data, const Context& context = {}) const;

  /// The share of the nodes in the trees of `data` whose labels no added example had; nothing if
  /// the functions store no labels, as those of vectors and of distributed trees. Linear.
  std::optional<double> unseen_labels(const Dataset& data) const;

  /// The exact decomposition of the values of each example. Costs as much as operator() for one
  /// example per distinct subtree of the data; many examples share the cost of reading the weights.
  std::vector<Contributions> contributions(const Dataset& data, const Context& context = {}) const;

  /// Serialisation. Loading throws Error for bytes that save() did not write.
  std::string save() const;
  static KernelFunctions load(std::string_view bytes);

 private:
  FittedKernel kernel_;
  std::size_t outputs_ = 0;
  std::shared_ptr<const FunctionNode> root_;  ///< shared by copies
};

}  // namespace espalier
