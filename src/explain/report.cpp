#include "espalier/explain/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "engine/subtree/subtree_features.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/engine/discriminance.hpp"
#include "explain/choose.hpp"

namespace espalier {

namespace {

/// The first subtree kernel of an expression that learns weights, or null.
const TreeKernelNode* learned_leaf(const KernelNode& node) {
  if (const auto* leaf = std::get_if<TreeKernelNode>(&node.what)) {
    const auto* options = std::get_if<SubtreeOptions>(&leaf->options);
    const bool learns = options != nullptr && options->weight == SubtreeWeight::discriminance;
    return learns ? leaf : nullptr;
  }
  if (const auto* inner = std::get_if<CombinationNode>(&node.what)) {
    for (const KernelNode& operand : inner->operands) {
      if (const auto* found = learned_leaf(operand)) return found;
    }
  }
  return nullptr;
}

/// The trees of a report with the classes of their examples.
struct LabelledTrees {
  std::vector<TreeId> trees;
  ClassLists classes{0};
  std::vector<std::uint32_t> place = {};  ///< per class: its index in Report::classes
};

void measure_trees(std::span<const TreeId> trees, Report& report) {
  const Forest& forest = report.forest;
  for (const TreeId t : trees) {
    if (t == none || forest.root(t) == none) continue;
    const VertexId root = forest.root(t);
    report.sizes.push_back(forest.size(root));
    report.heights.push_back(forest.height(root));
    std::size_t widest = 0;
    for (const Occurrence& o : forest.occurrences(t)) {
      widest = std::max(widest, forest.children(o.vertex).size());
      ++report.facts[o.vertex].trees;
    }
    report.outdegrees.push_back(static_cast<double>(widest));
  }
  if (report.sizes.empty()) throw Error("all trees are empty: there is nothing to report");
}

/// Classes by descending number of examples. Without classes, `weights` explains why.
void read_classes(const Dataset& data, LabelledTrees& labelled, Report& report) {
  Targets targets = make_targets(data, {}, {}, true);
  if (targets.task == Task::regression) {
    report.numbers = std::move(targets.numbers);
    report.weights =
        "The labels are numbers, so there are no classes that subtrees could indicate.";
    return;
  }
  const std::vector<std::size_t> sizes = targets.classes.class_sizes();
  std::vector<std::uint32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t c) { return sizes[c]; });
  labelled.place.resize(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    labelled.place[order[i]] = i;
    report.classes.push_back({targets.names[order[i]], sizes[order[i]]});
  }
  for (std::size_t i = 0; i < targets.classes.size(); ++i) {
    if (targets.classes[i].empty()) ++report.unlabelled;
  }
  labelled.classes = std::move(targets.classes);
  if (order.size() == 1) report.weights = "There is only one class.";
  if (order.empty()) report.weights = "The examples have no labels.";
}

void weigh_by_discriminance(const LabelledTrees& labelled, WeightShape shape, Report& report) {
  report.groups = report.classes;
  report.has_classes = true;
  const auto found = discriminance(report.forest, labelled.trees, labelled.classes);
  for (std::size_t v = 0; v < found.size(); ++v) {
    SubtreeFacts& facts = report.facts[v];
    const bool somewhere = found[v].speaks_for != none;
    facts.weight = somewhere ? discriminance_weight(shape, found[v].distance) : 0;
    facts.group = somewhere ? labelled.place[found[v].speaks_for] : none;
    facts.by_absence = found[v].by_absence;
  }
  report.weights =
      "The weight of a subtree is its discriminance: 1 if it occurs in all trees of one class and "
      "in no other tree (or in no tree of one class and in all others), 0 if it says nothing about "
      "classes.";
}

void weigh_by_frequency(Report& report) {
  const auto trees = static_cast<double>(report.sizes.size());
  constexpr double from[] = {0.5, 0.1, 0.01, 0};
  constexpr const char* names[] = {"in 50 % or more", "in 10 to 50 %", "in 1 to 10 %",
                                   "in less than 1 %"};
  for (const char* name : names) report.groups.push_back({name, report.sizes.size()});
  for (SubtreeFacts& facts : report.facts) {
    facts.weight = facts.trees / trees;
    facts.group = none;
    if (facts.trees == 0) continue;
    facts.group = 0;
    while (facts.weight < from[facts.group]) ++facts.group;
  }
  report.weights +=
      " Subtrees are therefore coloured by frequency, and their weight is the fraction of trees "
      "that contain them.";
}

void count_by_class(const LabelledTrees& labelled, Report& report) {
  if (!report.has_classes) return;
  std::unordered_map<VertexId, ChosenSubtree*> chosen;
  for (ChosenSubtree& subtree : report.chosen) {
    subtree.trees_of_class.assign(report.classes.size(), 0);
    chosen[subtree.vertex] = &subtree;
  }
  for (std::size_t i = 0; i < labelled.trees.size(); ++i) {
    if (labelled.trees[i] == none) continue;
    for (const Occurrence& o : report.forest.occurrences(labelled.trees[i])) {
      const auto found = chosen.find(o.vertex);
      if (found == chosen.end()) continue;
      for (const std::uint32_t c : labelled.classes[i]) {
        ++found->second->trees_of_class[labelled.place[c]];
      }
    }
  }
}

void describe_model(const Model& model, bool shows_weights, Report& report) {
  report.model = {{"Kernel", model.functions.kernel().to_string()},
                  {"Task", name_of(model.task())},
                  {"Learned by", fmt::format("{} from {}", model.training.learner,
                                             counted(model.training.examples, "example"))}};
  if (!model.classes().empty()) {
    constexpr std::size_t most = 30;
    const auto shown = std::span(model.classes()).first(std::min(most, model.classes().size()));
    const std::string more = model.classes().size() > most
                                 ? fmt::format(" and {} more", model.classes().size() - most)
                                 : "";
    report.model.emplace_back("Classes", fmt::format("{}{}", fmt::join(shown, ", "), more));
  }
  report.model.emplace_back(
      "In this report",
      shows_weights
          ? "The weights of subtrees are those that the model has learned; counts and classes are "
            "from the data."
          : "The kernel of the model has no learned weights of subtrees, so the weights in this "
            "report come from the data alone.");
}

}  // namespace

Report make_report(const Dataset& data, const ReportOptions& options, const Model* model) {
  if (data.size() == 0) throw Error("there are no examples to report on");
  const auto in_pair = [](const TreeColumn& column) { return !column.slot.member.empty(); };
  if (!data.trees().empty() && std::ranges::all_of(data.trees(), in_pair)) {
    throw Error("these examples are pairs: a report is on examples that have trees themselves");
  }
  const TreeKernelNode* leaf =
      model == nullptr ? nullptr : learned_leaf(model->functions.kernel().root());
  SubtreeOptions subtrees;
  subtrees.unordered = options.unordered;
  subtrees.labels = options.labels;
  if (leaf != nullptr) subtrees = std::get<SubtreeOptions>(leaf->options);
  const TreeColumn& column = data.trees(leaf != nullptr ? leaf->tree : options.tree);

  Forest forest({.ordered = !subtrees.unordered, .labelled = subtrees.labels});
  forest.merge(data.forests()[column.forest].value);
  Report report(std::move(forest));
  report.name = options.name;
  report.tree_name = column.slot.name;
  report.facts.resize(report.forest.vertex_count());
  measure_trees(column.trees, report);
  LabelledTrees labelled{column.trees};
  read_classes(data, labelled, report);
  if (report.classes.size() > 1) {
    weigh_by_discriminance(labelled, options.shape, report);
  } else {
    weigh_by_frequency(report);
  }
  if (leaf != nullptr) {
    const auto learned = subtree_weights(report.forest, *leaf, model->functions.kernel().state);
    for (std::size_t v = 0; v < learned.size(); ++v) report.facts[v].weight = learned[v];
    report.weights += " The weights shown are those that the model has learned.";
  }
  choose_subtrees(report);
  count_by_class(labelled, report);
  if (model != nullptr) describe_model(*model, leaf != nullptr, report);
  return report;
}

}  // namespace espalier
