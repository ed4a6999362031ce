#include "espalier/explain/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/data/example_text.hpp"
#include "espalier/model/word_vectors.hpp"
#include "explain/relevance.hpp"
#include "explain/words.hpp"
#include "model/score_weights.hpp"

namespace espalier {

namespace {

constexpr std::size_t longest_subtree = 60;

double weighed(std::span<const double> values, std::span<const double> weights) {
  return std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0);
}

/// Functions whose values the contributions add up to.
std::size_t function_count(const Model& model) {
  return model.fragments() != nullptr ? model.fragments()->outputs() : model.functions.outputs();
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
    contribution.landmark = l + 1;
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
  const std::vector<double> kernels = totals(parts, function_count(model));
  const Relevance relevance = propagate_relevance(*model.landmarks(), kernels, classifiers);
  out.bias += relevance.bias;
  out.like_none = relevance.rest;
  out.landmarks = landmark_contributions(model, kernels, relevance.landmarks);
  return relevance.slopes;
}

/// Subtrees of a forest, ascending and closed under descendants, in time linear in their number.
VertexList list_of(const Forest& forest, std::span<const VertexId> vertices) {
  VertexList out;
  for (const VertexId v : vertices) {
    out.label.push_back(static_cast<std::uint32_t>(out.labels.size()));
    out.labels.emplace_back(forest.labels().text(forest.label(v)));
    for (const VertexId child : forest.children(v)) {
      const auto place = std::ranges::lower_bound(vertices, child);
      out.children.push_back(static_cast<std::uint32_t>(place - vertices.begin()));
    }
    out.child_begin.push_back(static_cast<std::uint32_t>(out.children.size()));
  }
  return out;
}

ExplainedTree explained_tree(const TreeContributions& parts, const Dataset& data,
                             std::size_t example, std::span<const double> weights) {
  const auto column = std::ranges::find(data.trees(), parts.slot, &TreeColumn::slot);
  ExplainedTree out{to_string(parts.slot), Forest(), {}};
  const Forest& all = data.forests()[column->forest].value;
  out.forest.add(all.tree(column->trees[example]));
  const auto vertices = out.forest.find(list_of(all, parts.vertices));
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
  const Dataset& data;
  std::uint32_t example;
  const Contributions& parts;
  std::size_t fragments;
  const Context& context;
};

/// Those of a model whose features are fragments.
std::vector<FragmentContribution> feature_contributions(const Explained& explained,
                                                        std::span<const double> functions) {
  const FragmentScores& scores = *explained.model.fragments();
  std::vector<FragmentContribution> out;
  if (scores.features.hashed() || explained.fragments == 0) return out;
  const std::vector<double> weights = scores.score_weights(functions);
  const std::vector<std::string> terms = scores.features.terms();
  const Dataset alone = explained.data.select({&explained.example, 1});
  const SparseMatrix rows = scores.features.transform(alone, explained.context);
  for (std::size_t k = 0; k < rows.value_count(); ++k) {
    const std::uint32_t column = rows.all_columns()[k];
    const auto& chosen = scores.features.chosen()[column];
    if (weights[column] == 0) continue;
    out.push_back({terms.size() > 1 ? terms[chosen.term] : "", to_string(chosen.fragment),
                   weights[column], rows.all_values()[k] * weights[column]});
  }
  std::ranges::stable_sort(out, std::greater(), [](const FragmentContribution& contribution) {
    return std::abs(contribution.value);
  });
  if (out.size() > explained.fragments) out.resize(explained.fragments);
  return out;
}

std::vector<FragmentContribution> fragment_contributions(const Explained& explained,
                                                         std::span<const double> weights) {
  if (explained.model.fragments() != nullptr) return feature_contributions(explained, weights);
  const std::vector<std::string> terms = fragment_terms(explained.functions);
  std::vector<FragmentContribution> out;
  if (terms.empty() || explained.fragments == 0) return out;
  const Dataset alone = explained.data.select({&explained.example, 1});
  const TopFragments found = top_contributions(explained.functions, weights, alone,
                                               {.top = explained.fragments}, explained.context);
  for (const WeightedFragment& each : found.fragments) {
    out.push_back({terms.size() > 1 ? terms[each.term] : "", to_string(each.fragment),
                   each.weights[0], each.contribution});
  }
  return out;
}

ExplainedScore explained_score(const Explained& explained, std::uint32_t c) {
  const auto& [model, functions, data, example, parts, fragments, context] = explained;
  ExplainedScore out;
  if (model.task() == Task::classification) out.name = model.classes()[c];
  const std::vector<double> weights =
      function_weights(model, parts, classifier_weights(model, c), out);
  out.score = out.bias + weighed(totals(parts, function_count(model)), weights);
  for (const TreeContributions& tree : parts.trees) {
    out.trees.push_back(explained_tree(tree, data, example, weights));
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

/// Memory for the contributions of all examples, at most.
std::size_t contribution_bytes(const Model& model, const Dataset& data,
                               std::span<const std::uint32_t> examples) {
  std::size_t subtrees = 0;
  for (const TreeColumn& column : data.trees()) {
    const Forest& forest = data.forests()[column.forest].value;
    for (const std::uint32_t i : examples) {
      if (column.trees[i] != none) subtrees += forest.occurrences(column.trees[i]).size();
    }
  }
  return 2 * subtrees * function_count(model) * sizeof(double);
}

/// The contributions to the functions of a model; errors name an example of the whole data.
std::vector<Contributions> contributions(const Model& model, const KernelFunctions& functions,
                                         const Dataset& chosen,
                                         std::span<const std::uint32_t> examples,
                                         const Context& context) {
  try {
    if (const FragmentScores* scores = model.fragments()) {
      return scores->features.contributions(chosen, scores->weights, context);
    }
    return functions.contributions(chosen, context);
  } catch (const ExampleError& error) {
    throw ExampleError(examples[error.example()], error.message());
  }
}

std::vector<Explanation> explain_halves(const Model& model, const Dataset& data,
                                        std::span<const std::uint32_t> examples,
                                        const Context& context, std::size_t fragments) {
  const std::size_t half = examples.size() / 2;
  auto out = explain(model, data, examples.first(half), context, fragments);
  std::ranges::move(explain(model, data, examples.subspan(half), context, fragments),
                    std::back_inserter(out));
  return out;
}

}  // namespace

std::vector<Explanation> explain(const Model& model, const Dataset& data,
                                 std::span<const std::uint32_t> examples, const Context& context,
                                 std::size_t fragments) {
  if (examples.size() > 1 && contribution_bytes(model, data, examples) > context.memory / 4) {
    return explain_halves(model, data, examples, context, fragments);
  }
  const Dataset chosen = data.select(examples);
  const KernelFunctions functions = with_words_of(chosen, model.functions, model.word_files);
  const auto parts = contributions(model, functions, chosen, examples, context);
  const bool classes = model.task() == Task::classification;
  const Predictions predictions =
      classes ? predict(model, functions, chosen, context) : Predictions{};
  Context own = context;  // of a thread
  own.threads = 1;
  own.memory = context.memory / thread_count(context);
  std::vector<Explanation> out(examples.size());
  const TextColumn* const ids = ids_of(chosen);
  const auto work = [&](std::size_t, std::size_t k) {
    const Explained explained{model,    functions, chosen, static_cast<std::uint32_t>(k),
                              parts[k], fragments, own};
    out[k].example = examples[k] + 1;
    const Example shown = chosen.example(k);
    out[k].text = example_text(shown);
    if (ids != nullptr) out[k].id = ids->texts[k];
    for (const Label& label : shown.labels) out[k].labels.push_back(label.name);
    const auto ranked =
        classes ? ranking(predictions.scores.row(k)) : std::vector<std::uint32_t>{0};
    out[k].decision = explained_score(explained, ranked[0]);
    if (ranked.size() > 1) out[k].rivals.push_back(explained_score(explained, ranked[1]));
  };
  parallel(examples.size(), context, work, [](std::size_t) { return 1.0; });
  return out;
}

Explanation explain(const Model& model, const Dataset& data, std::size_t example,
                    const Context& context, std::size_t fragments) {
  const auto place = static_cast<std::uint32_t>(example);
  return std::move(explain(model, data, {&place, 1}, context, fragments)[0]);
}

ExplainedScore explain_score(const Model& model, const Dataset& data, std::size_t example,
                             const std::string& of_class, const Context& context) {
  const std::uint32_t c = class_number(model, of_class);
  const auto place = static_cast<std::uint32_t>(example);
  const Dataset alone = data.select({&place, 1});
  const KernelFunctions functions = with_words_of(alone, model.functions, model.word_files);
  const auto parts = contributions(model, functions, alone, {&place, 1}, context);
  return explained_score({model, functions, alone, 0, parts[0], 0, context}, c);
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

}  // namespace espalier
