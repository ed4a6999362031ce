#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fragments/fragment_space.hpp"
#include "gram/function_forest.hpp"

namespace espalier {

/// A tree kernel within the kernel of functions, with their weighted forest.
struct FragmentTerm {
  const TreeFunction* function;
  std::string name;
  double factor;                           ///< of the kernel in the sum
  std::vector<const NormFunction*> norms;  ///< around it
};

/// The parts of a kernel.
struct FragmentTerms {
  std::vector<FragmentTerm> terms;
  std::vector<std::string> others;  ///< parts without fragments, and why
};

FragmentTerms find_terms(const FunctionNode& root);

/// A term in a forest that also has the trees of a data set, if there is one: what searches share.
class TermForest {
 public:
  /// Row s of `scores` has the weights of the functions in score s.
  TermForest(const FragmentTerm& term, const KernelState& state, const Matrix<double>& scores,
             const Dataset* data);

  const Forest& forest() const { return joined_ ? joined_->forest() : term_.function->forest; }
  /// The weights of the vertices in a score.
  const std::vector<double>& weights(std::size_t score) const { return weights_[score]; }
  const FragmentSpace& space() const { return *space_; }
  /// Whether a vertex is one of the functions', not only of the data.
  bool is_known(VertexId v) const { return v < term_.function->forest.vertex_count(); }
  /// The vertices that have a weight or occur in the data, ascending.
  std::vector<VertexId> roots() const;
  /// Those of them that a fragment of the data can be rooted at.
  std::vector<VertexId> roots_like_data() const;
  /// Per example of the data: its vertices.
  const Bags& examples() const { return *examples_; }
  const FunctionForest& joined() const { return *joined_; }

 private:
  const FragmentTerm& term_;
  std::unique_ptr<FunctionForest> joined_;
  std::unique_ptr<const Bags> examples_;
  std::vector<std::vector<double>> weights_;  ///< per score
  std::unique_ptr<FragmentSpace> space_;
};

}  // namespace espalier
