#include "espalier/data/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "espalier/data/labels.hpp"

namespace espalier {

namespace {

ForestSummary summarize(const std::string& name, const Forest& forest) {
  ForestSummary out;
  out.name = name;
  out.trees = forest.tree_count();
  out.nodes = forest.node_count();
  out.distinct_subtrees = forest.vertex_count();
  out.distinct_productions = forest.production_count();
  out.distinct_labels = forest.labels().size();
  if (out.distinct_subtrees > 0) {
    out.compression = static_cast<double>(out.nodes) / static_cast<double>(out.distinct_subtrees);
  }
  std::vector<double> size, height, outdegree;
  for (TreeId t = 0; t < forest.tree_count(); ++t) {
    const VertexId root = forest.root(t);
    size.push_back(root == none ? 0 : forest.size(root));
    height.push_back(root == none ? 0 : forest.height(root));
    std::size_t widest = 0;
    for (const Occurrence& o : forest.occurrences(t)) {
      widest = std::max(widest, forest.children(o.vertex).size());
    }
    outdegree.push_back(static_cast<double>(widest));
  }
  out.size = describe(size);
  out.height = describe(height);
  out.outdegree = describe(outdegree);
  return out;
}

VectorSummary summarize(const VectorColumn& column) {
  return {to_string(column.slot), column.dense,
          static_cast<std::uint64_t>(std::ranges::count(column.present, 1)),
          column.dense ? column.dimension : column.feature_names.size(), column.values.size()};
}

void summarize_labels(const Dataset& data, Summary& out) {
  const bool regression = count_labels(data).regression();
  std::unordered_map<std::string, std::size_t> classes;  // their places in out.classes
  std::map<std::string, std::vector<double>> numbers;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto labels = data.labels(i);
    if (labels.empty()) ++out.unlabelled;
    for (const LabelEntry& label : labels) {
      const std::string name(data.label_names().text(label.name));
      if (label.value && !name.empty()) {
        numbers[name].push_back(*label.value);
      } else if (regression) {
        numbers[""].push_back(*number_of(data, label));
      } else {
        const auto [place, added] = classes.emplace(class_of(data, label), out.classes.size());
        if (added) out.classes.push_back({place->first, 0});
        ++out.classes[place->second].examples;
      }
    }
  }
  std::ranges::stable_sort(out.classes, std::greater<>(), &ClassSummary::examples);
  for (auto& [name, values] : numbers) {
    out.numbers.push_back({name, describe(values)});
  }
}

}  // namespace

Distribution describe(std::vector<double>& values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto rank = [&](double fraction) {
    return values[static_cast<std::size_t>(std::ceil(fraction * n)) - 1];
  };
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  return {values.front(), rank(0.5), mean, rank(0.95), values.back()};
}

Summary summarize(const Dataset& data) {
  Summary out;
  out.examples = data.size();
  summarize_labels(data, out);
  for (const auto& [name, forest] : data.forests()) out.trees.push_back(summarize(name, forest));
  for (const VectorColumn& column : data.vectors()) out.vectors.push_back(summarize(column));
  for (const TextColumn& column : data.texts()) out.texts.push_back(to_string(column.slot));
  const auto in_member = [](const auto& column) { return !column.slot.member.empty(); };
  out.pairs = std::ranges::any_of(data.trees(), in_member) ||
              std::ranges::any_of(data.vectors(), in_member) ||
              std::ranges::any_of(data.texts(), in_member);
  return out;
}

}  // namespace espalier
