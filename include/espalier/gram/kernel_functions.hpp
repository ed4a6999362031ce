#pragma once

#include <memory>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

struct FunctionNode;

/// What a KernelFunctions holds.
struct FunctionsSummary {
  std::uint64_t subtrees = 0;         ///< distinct ones, in all weighted forests
  std::uint64_t weights = 0;          ///< of subtrees and features
  std::uint64_t support_vectors = 0;  ///< kept whole, for kernels that are not linear

  void fields(auto&& field) const {
    field("subtrees", subtrees);
    field("weights", weights);
    field("support_vectors", support_vectors);
  }
};

/// What the distinct subtrees of one tree of an example contribute to functions.
struct TreeContributions {
  Slot slot;
  std::vector<VertexId> vertices;     ///< of the data's forest of that name
  std::vector<std::uint32_t> counts;  ///< how often each occurs
  Matrix<double> values;              ///< of one occurrence (row) to each function (column)
};

/// f_o(x) taken apart: the sum over subtrees, each as often as it occurs, and all of the rest.
struct Contributions {
  std::vector<TreeContributions> trees;
  std::vector<Named<std::vector<double>>> rest;  ///< by kernel: what comes from no tree, or not
                                                 ///< from single subtrees; one for each function
};

/// The functions f_o(x) = sum over examples i of c(o, i) K(x_i, x), one for each output o.
///
/// The examples are not kept: since K(x_i, x) is a sum over pairs of subtrees, the coefficients add
/// up to one weight for each distinct subtree and output, and all outputs are computed in one walk
/// over this weighted forest, whatever the number of examples. That holds for tree kernels, linear
/// and cosine kernels on vectors, norms, weighted sums and pairs. What is not linear (products,
/// rbf, poly, kappa=min) keeps its examples; in a sum, only that part does.
class KernelFunctions {
 public:
  explicit KernelFunctions(Kernel kernel);
  ~KernelFunctions();
  KernelFunctions(const KernelFunctions&);
  KernelFunctions(KernelFunctions&&) noexcept;
  KernelFunctions& operator=(KernelFunctions) noexcept;

  const Kernel& kernel() const { return kernel_; }
  std::size_t outputs() const { return outputs_; }
  FunctionsSummary summary() const;

  /// Adds examples: coefficients(o, i) for output o and example i of `data`. There may be more
  /// outputs than before; the new ones were 0. Linear in the examples that have a coefficient other
  /// than 0, and in the weights there are.
  void add(const Dataset& data, const Matrix<double>& coefficients, const Context& context = {});

  /// f_o(x) for each example (row) and output (column). A value that is not finite is an Error.
  Matrix<double> operator()(const Dataset& data, const Context& context = {}) const;

  /// The values for one example, taken apart exactly. Requires data.size() == 1. O(distinct
  /// subtrees) rows of the work of operator().
  Contributions contributions(const Dataset& data, const Context& context = {}) const;

  /// As bytes, and back. Reading throws Error for anything that save() did not write.
  std::string save() const;
  static KernelFunctions load(std::string_view bytes);

 private:
  /// The functions with the vectors of the words in `data` too. `scratch` holds them if need be.
  const FunctionNode& root_for(const Dataset& data, std::unique_ptr<FunctionNode>& scratch) const;

  Kernel kernel_;
  std::size_t outputs_ = 0;
  std::unique_ptr<FunctionNode> root_;
};

}  // namespace espalier
