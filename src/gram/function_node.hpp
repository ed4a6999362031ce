#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/lazy.hpp"
#include "engine/inputs.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "espalier/kernel/kernel.hpp"
#include "gram/norm_lengths.hpp"

namespace espalier {

// A kernel expression compiled to functions f_o(x) = sum of c(o, i) K(x_i, x): see KernelFunctions.
// The struct of each kind of node defines how its part of the sum is stored.

struct FunctionNode;

/// Which member or tree of an example is used: of new ones (rows), and of added ones (columns).
struct Sides {
  std::string row_member;
  std::string column_member;
  std::string tree;  ///< the tree that kernels without a name use; "" for the only one
};

/// The weights of a function as the columns of a leaf.
struct FunctionColumns {
  Bags outputs;  ///< one for each
  Prepared prepared;
};

/// A leaf kernel on trees: one weight for each distinct subtree and output.
struct TreeFunction {
  TreeKernelNode kernel;
  Sides sides;
  bool all_trees = false;              ///< all trees of an example together
  Forest forest;                       ///< without trees
  std::vector<SparseWeights> weights;  ///< per output: of vertices
  Lazy<FunctionColumns> columns = {};

  /// Built once: the members above must not change after that, except in a copy.
  const FunctionColumns& as_columns() const;
};

/// A linear kernel on vectors: one weight for each feature and output.
struct VectorFunction {
  std::string vector;
  Sides sides;
  bool dense = false;
  std::uint64_t dimension = 0;  ///< of dense vectors
  LabelTable features;          ///< of sparse ones
  std::vector<SparseWeights> weights;
};

/// A kernel with dense vectors: one weight for each entry of a vector and output.
struct DenseFunction {
  KernelNode kernel;
  Sides sides;
  bool all_trees = false;
  std::vector<std::vector<double>> weights;

  const TreeKernelNode& leaf() const { return std::get<TreeKernelNode>(kernel.what); }
  std::size_t dim() const { return tree_kernel(leaf()).dense_dim(leaf()); }
  std::unique_ptr<DenseVectors> vectors_of(const Side& side) const {
    return tree_kernel(leaf()).dense_vectors(leaf(), side,
                                             Inputs::tree_names(side, leaf(), all_trees));
  }
};

/// A constant kernel: one number per output.
struct ConstantFunction {
  double value = 0;
  std::vector<double> sums;
};

/// K / sqrt(K(x,x) K(y,y)): the coefficients below are already divided by the lengths.
struct NormFunction {
  KernelNode kernel;  ///< K
  Sides sides;
  std::vector<FunctionNode> below;  ///< one
};

struct SumFunction {
  double factor = 1;
  std::vector<FunctionNode> parts;
};

/// each(K): a part for each tree name, created on demand.
struct EachFunction {
  KernelNode kernel;  ///< K
  Sides sides;
  std::vector<std::string> names;
  std::vector<FunctionNode> parts;
};

/// A nonlinear kernel: the examples themselves.
struct SupportFunction {
  KernelNode kernel;
  Dataset examples;
  std::vector<std::vector<double>> coefficients;  ///< per output, one for each example
};

struct FunctionNode {
  std::variant<SumFunction, NormFunction, EachFunction, TreeFunction, VectorFunction,
               ConstantFunction, SupportFunction, DenseFunction>
      what;
};

/// The functions of a kernel, without examples.
FunctionNode make_function(const KernelNode& kernel, const Sides& sides = {});
/// The same, storing whole examples.
FunctionNode make_support_function(const KernelNode& kernel);

/// Thrown when self-kernels overflow a double, so that weights would too.
class OutOfRange : public Error {
 public:
  using Error::Error;
};

/// K(x,x) of each example.
SideLengths self_kernels(const KernelNode& kernel, const KernelState& state, const Side& side,
                         const Context& context);
/// The square roots of K(x,x). Throws OutOfRange.
std::vector<double> self_kernel_roots(const KernelNode& kernel, const KernelState& state,
                                      const Side& side, const Context& context);
/// Throws Error unless the vectors have the kind and dimension of the training data.
void check_kind(const VectorFunction& function, const VectorColumn& column);

void add_examples(FunctionNode& node, const KernelState& state, const Dataset& data,
                  const Matrix<double>& coefficients, const Context& context);
/// f_o(x) of each example, decomposed by subtree.
std::vector<Contributions> take_apart(const FunctionNode& node, const KernelState& state,
                                      const Dataset& data, std::size_t outputs,
                                      const Context& context);
/// Adds f_o(x) to values(x, o).
void add_values(const FunctionNode& node, const KernelState& state, const Dataset& data,
                Matrix<double>& values, const Context& context);

}  // namespace espalier
