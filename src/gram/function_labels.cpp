// Which labels of new trees the examples of a function had.

#include <set>
#include <string>
#include <unordered_set>

#include "gram/function_node.hpp"

namespace espalier {

namespace {

/// The labels in the weighted forests, and the names of the trees that these are about.
class KnownLabels {
 public:
  explicit KnownLabels(const FunctionNode& node) { add(node); }

  bool empty() const { return names_.empty(); }
  bool knows(std::string_view label) const { return labels_.contains(std::string(label)); }
  /// "" stands for all names.
  bool is_about(const std::string& name) const {
    return names_.contains("") || names_.contains(name);
  }

 private:
  void add(const FunctionNode& node) {
    std::visit([this](const auto& function) { add_labels(function); }, node.what);
  }
  void add_labels(const SumFunction& sum) {
    for (const FunctionNode& part : sum.parts) add(part);
  }
  void add_labels(const NormFunction& norm) { add(norm.below[0]); }
  void add_labels(const EachFunction& each) {
    for (const FunctionNode& part : each.parts) add(part);
  }
  void add_labels(const TreeFunction& function) {
    if (!function.forest.options().labelled) return;
    const std::string& name = function.kernel.tree;
    names_.insert(name.empty() ? function.sides.tree : name);
    add_table(function.forest.labels());
  }
  void add_labels(const SupportFunction& support) {
    for (const auto& [name, forest] : support.examples.forests()) {
      names_.insert(name);
      add_table(forest.labels());
    }
  }
  // Others store no labels.
  void add_labels(const VectorFunction&) {}
  void add_labels(const DenseFunction&) {}
  void add_labels(const ConstantFunction&) {}

  void add_table(const LabelTable& table) {
    for (LabelId id = 0; id < table.size(); ++id) labels_.emplace(table.text(id));
  }

  std::set<std::string> names_;
  std::unordered_set<std::string> labels_;
};

}  // namespace

std::optional<double> KernelFunctions::unseen_labels(const Dataset& data) const {
  const KnownLabels known(*root_);
  if (known.empty()) return std::nullopt;
  std::uint64_t all = 0, unseen = 0;
  for (const TreeColumn& column : data.trees()) {
    if (!known.is_about(column.slot.name)) continue;
    const Forest& forest = data.forests()[column.forest].value;
    std::vector<std::uint8_t> is_new(forest.labels().size());
    for (LabelId id = 0; id < is_new.size(); ++id)
      is_new[id] = !known.knows(forest.labels().text(id));
    for (const TreeId tree : column.trees) {
      if (tree == none) continue;
      for (const Occurrence& o : forest.occurrences(tree)) {
        all += o.count;
        unseen += is_new[forest.label(o.vertex)] != 0 ? o.count : 0;
      }
    }
  }
  if (all == 0) return std::nullopt;
  return static_cast<double>(unseen) / static_cast<double>(all);
}

}  // namespace espalier
