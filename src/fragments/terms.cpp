#include "fragments/terms.hpp"

#include <cmath>

namespace espalier {

namespace {

class TermFinder {
 public:
  void add(const FunctionNode& node) {
    std::visit([this](const auto& function) { add_part(function); }, node.what);
  }
  FragmentTerms result() && { return std::move(out_); }

 private:
  void add_part(const SumFunction& sum) {
    const double before = factor_;
    factor_ *= sum.factor;
    for (const FunctionNode& part : sum.parts) add(part);
    factor_ = before;
  }
  void add_part(const NormFunction& norm) {
    norms_.push_back(&norm);
    add(norm.below[0]);
    norms_.pop_back();
  }
  void add_part(const EachFunction& each) {
    for (const FunctionNode& part : each.parts) add(part);
  }
  void add_part(const TreeFunction& function) {
    const std::string name = name_of(function);
    const std::string why = no_fragments_because(function.kernel);
    if (!why.empty()) {
      out_.others.push_back(name + ": " + why);
    } else if (factor_ > 0) {
      out_.terms.push_back({&function, name, factor_, norms_});
    }
  }
  void add_part(const VectorFunction& function) {
    out_.others.push_back("linear(" + function.vector + "): vectors have no fragments");
  }
  void add_part(const DenseFunction& function) {
    out_.others.push_back(Kernel(function.kernel).to_string() + ": " +
                          no_fragments_because(function.leaf()));
  }
  void add_part(const SupportFunction& support) {
    out_.others.push_back(Kernel(support.kernel).to_string() + ": it is not a sum over fragments");
  }
  void add_part(const ConstantFunction&) { out_.others.emplace_back("a constant"); }

  static std::string name_of(const TreeFunction& function) {
    TreeKernelNode kernel = function.kernel;
    if (kernel.tree.empty()) kernel.tree = function.sides.tree;
    const Sides& sides = function.sides;
    std::string member = sides.row_member;
    if (sides.column_member != member) member += " like " + sides.column_member;
    return (member.empty() ? "" : member + ": ") + Kernel(KernelNode{kernel}).to_string();
  }

  FragmentTerms out_;
  double factor_ = 1;
  std::vector<const NormFunction*> norms_;
};

}  // namespace

FragmentTerms find_terms(const FunctionNode& root) {
  TermFinder finder;
  finder.add(root);
  return std::move(finder).result();
}

TermForest::TermForest(const FragmentTerm& term, const KernelState& state,
                       const Matrix<double>& scores, const Dataset* data)
    : term_(term) {
  const TreeFunction& function = *term.function;
  if (data != nullptr) {
    const Side side{data, function.sides.row_member, function.sides.tree};
    joined_ = std::make_unique<FunctionForest>(function, state, side);
    examples_ = joined_->examples();
  }
  // The weights hold the factor of the kernel; its root belongs to either side of the product.
  const double scale = 1 / std::sqrt(term.factor);
  weights_.assign(scores.rows(), std::vector<double>(forest().vertex_count(), 0));
  for (std::size_t s = 0; s < scores.rows(); ++s) {
    for (std::size_t o = 0; o < function.weights.size(); ++o) {
      const SparseWeights& all = function.weights[o];
      for (std::size_t k = 0; k < all.ids.size(); ++k) {
        weights_[s][all.ids[k]] += scale * scores(s, o) * all.weights[k];
      }
    }
  }
  space_ = make_fragment_space(forest(), function.kernel, state);
}

std::vector<VertexId> TermForest::roots() const {
  std::vector<std::uint8_t> wanted(forest().vertex_count(), 0);
  for (const auto& weights : weights_) {
    for (VertexId v = 0; v < wanted.size(); ++v) {
      if (weights[v] != 0) wanted[v] = 1;
    }
  }
  for (std::size_t i = 0; examples_ && i < examples_->size(); ++i) {
    for (const Occurrence& o : (*examples_)[i].occurrences) wanted[o.vertex] = 1;
  }
  std::vector<VertexId> out;
  for (VertexId v = 0; v < wanted.size(); ++v) {
    if (wanted[v] != 0) out.push_back(v);
  }
  return out;
}

std::vector<VertexId> TermForest::roots_like_data() const {
  std::vector<std::uint8_t> known(forest().vertex_count() + forest().labels().size(), 0);
  for (std::size_t i = 0; i < examples_->size(); ++i) {
    for (const Occurrence& o : (*examples_)[i].occurrences) known[space_->root_key(o.vertex)] = 1;
  }
  std::vector<VertexId> out = roots();
  std::erase_if(out, [&](VertexId v) { return known[space_->root_key(v)] == 0; });
  return out;
}

}  // namespace espalier
