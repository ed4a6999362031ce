#include "espalier/explain/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/model/word_vectors.hpp"
#include "explain/relevance.hpp"
#include "explain/score_weights.hpp"
#include "explain/words.hpp"

namespace espalier {

namespace {

constexpr std::size_t longest_subtree = 60;

double weighed(std::span<const double> values, std::span<const double> weights) {
  return std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0);
}

/// The function values, summed over their parts.
std::vector<double> totals(const Contributions& parts, std::size_t functions) {
  std::vector<double> out(functions, 0.0);
  for (const TreeContributions& tree : parts.trees) {
    for (std::size_t k = 0; k < tree.vertices.size(); ++k) {
      for (std::size_t o = 0; o < functions; ++o) out[o] += tree.counts[k] * tree.values(k, o);
    }
  }
  for (const auto& rest : parts.rest) {
    for (std::size_t o = 0; o < functions; ++o) out[o] += rest.value[o];
  }
  return out;
}

std::vector<LandmarkContribution> landmark_contributions(const Model& model,
                                                         std::span<const double> kernels,
                                                         std::span<const double> relevance) {
  std::vector<LandmarkContribution> out;
  for (std::size_t l = 0; l < kernels.size(); ++l) {
    const Landmark& landmark = model.landmarks()->landmarks[l];
    LandmarkContribution& contribution = out.emplace_back();
    contribution.text = landmark.text;
    for (const std::uint32_t c : landmark.classes)
      contribution.classes.push_back(model.classes()[c]);
    contribution.kernel = kernels[l];
    contribution.value = relevance[l];
  }
  std::ranges::stable_sort(out, std::greater(), &LandmarkContribution::value);
  return out;
}

/// The weight of each function in the score.
std::vector<double> function_weights(const Model& model, const Contributions& parts,
                                     std::vector<double> classifiers, ExplainedScore& out) {
  const auto functions = decision_functions(model.decision);
  for (std::size_t m = 0; m < classifiers.size(); ++m) {
    out.bias += classifiers[m] * functions[m].bias;
  }
  if (model.landmarks() == nullptr) return classifiers;
  const std::vector<double> kernels = totals(parts, model.functions.outputs());
  const Relevance relevance = propagate_relevance(*model.landmarks(), kernels, classifiers);
  out.bias += relevance.bias;
  out.like_none = relevance.rest;
  out.landmarks = landmark_contributions(model, kernels, relevance.landmarks);
  return relevance.slopes;
}

ExplainedTree explained_tree(const TreeContributions& parts, const Dataset& data,
                             std::span<const double> weights) {
  const auto column = std::ranges::find(data.trees(), parts.slot, &TreeColumn::slot);
  ExplainedTree out{to_string(parts.slot), Forest(), {}};
  const Forest& all = data.forests()[column->forest].value;
  const auto vertices = out.forest.add(all.list(parts.vertices));
  out.forest.add(all.tree(column->trees[0]));  // adds no vertex: all subtrees are there
  out.values.assign(out.forest.vertex_count(), 0.0);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    out.values[vertices[k]] = weighed(parts.values.row(k), weights);
  }
  return out;
}

std::vector<SubtreeContribution> subtree_contributions(const std::vector<ExplainedTree>& trees) {
  std::vector<SubtreeContribution> out;
  for (const ExplainedTree& tree : trees) {
    for (const Occurrence& o : tree.forest.occurrences(0)) {
      if (tree.values[o.vertex] == 0) continue;
      out.push_back({tree.name, brackets_text(tree.forest, o.vertex, longest_subtree), o.count,
                     o.count * tree.values[o.vertex]});
    }
  }
  std::ranges::stable_sort(out, std::greater(), [](const SubtreeContribution& contribution) {
    return std::abs(contribution.value);
  });
  return out;
}

/// An example that is explained.
struct Explained {
  const Model& model;
  const KernelFunctions& functions;  ///< of the model, with the word vectors of the example
  const Dataset& example;
  const Contributions& parts;
  std::size_t fragments;
  const Context& context;
};

std::vector<FragmentContribution> fragment_contributions(const Explained& explained,
                                                         std::span<const double> weights) {
  const std::vector<std::string> terms = fragment_terms(explained.functions);
  std::vector<FragmentContribution> out;
  if (terms.empty() || explained.fragments == 0) return out;
  const TopFragments found = top_contributions(explained.functions, weights, explained.example,
                                               {.top = explained.fragments}, explained.context);
  for (const WeightedFragment& each : found.fragments) {
    out.push_back({terms.size() > 1 ? terms[each.term] : "", to_string(each.fragment),
                   each.weights[0], each.contribution});
  }
  return out;
}

ExplainedScore explained_score(const Explained& explained, std::uint32_t c) {
  const auto& [model, functions, data, parts, fragments, context] = explained;
  ExplainedScore out;
  if (model.task() == Task::classification) out.name = model.classes()[c];
  const std::vector<double> weights =
      function_weights(model, parts, classifier_weights(model, c), out);
  out.score = out.bias + weighed(totals(parts, model.functions.outputs()), weights);
  for (const TreeContributions& tree : parts.trees) {
    out.trees.push_back(explained_tree(tree, data, weights));
  }
  for (const auto& rest : parts.rest) {
    out.rest.push_back({rest.name, weighed(rest.value, weights)});
  }
  out.subtrees = subtree_contributions(out.trees);
  out.fragments = fragment_contributions(explained, weights);
  return out;
}

/// The classes by descending score; those without examples come last.
std::vector<std::uint32_t> ranking(std::span<const double> scores) {
  std::vector<std::uint32_t> out(scores.size());
  std::iota(out.begin(), out.end(), 0U);
  std::ranges::stable_sort(out, std::greater(), [&](std::uint32_t c) { return scores[c]; });
  std::erase_if(out, [&](std::uint32_t c) { return std::isinf(scores[c]); });
  return out;
}

}  // namespace

ExplainedScore explain_score(const Model& model, const Dataset& data, std::size_t example,
                             const std::string& of_class, const Context& context) {
  const std::uint32_t c = class_number(model, of_class);
  const auto place = static_cast<std::uint32_t>(example);
  const Dataset alone = data.select({&place, 1});
  const KernelFunctions functions = with_words_of(alone, model.functions);
  const Contributions parts = functions.contributions(alone, context);
  return explained_score({model, functions, alone, parts, 0, context}, c);
}

std::vector<double> node_contributions(const ExplainedTree& tree) {
  std::vector<double> out;
  std::vector<VertexId> open;
  if (tree.forest.root(0) != none) open.push_back(tree.forest.root(0));
  while (!open.empty()) {
    const VertexId v = open.back();
    open.pop_back();
    out.push_back(tree.values[v]);
    const auto children = tree.forest.children(v);
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  return out;
}

Explanation explain(const Model& model, const Dataset& data, std::size_t example,
                    const Context& context, std::size_t fragments) {
  const auto place = static_cast<std::uint32_t>(example);
  const Dataset alone = data.select({&place, 1});
  const KernelFunctions functions = with_words_of(alone, model.functions);
  const Contributions parts = functions.contributions(alone, context);
  const Explained explained{model, functions, alone, parts, fragments, context};
  Explanation out;
  out.example = example + 1;
  const Example shown = alone.example(0);
  out.text = shown_text(shown);
  for (const Label& label : shown.labels) out.labels.push_back(label.name);
  if (model.task() != Task::classification) {
    out.decision = explained_score(explained, 0);
    return out;
  }
  const Predictions predictions = predict(model, alone, context);
  const std::vector<std::uint32_t> classes = ranking(predictions.scores.row(0));
  out.decision = explained_score(explained, classes[0]);
  if (classes.size() > 1) out.rivals.push_back(explained_score(explained, classes[1]));
  return out;
}

}  // namespace espalier
