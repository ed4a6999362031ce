#include "espalier/explain/model_fragments.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "model/score_weights.hpp"

namespace espalier {

namespace {

ModelFragments without_lists(const Model& model, const Dataset* data) {
  ModelFragments out;
  out.kernel = model.functions.kernel().to_string();
  out.classes = model.classes().empty() ? std::vector<std::string>{""} : model.classes();
  if (data != nullptr) out.examples = data->size();
  return out;
}

/// The fragments that are features of a linear model, with its weights.
std::vector<WeightedFragment> weighted_features(const Model& model, const Dataset* data,
                                                const Context& context) {
  const FragmentFeatures& features = model.fragments()->features;
  if (features.hashed()) {
    throw Error(
        "the features of the model are hashed, so that their fragments are not known: a model of "
        "`espalier train --learner linear --fragments` knows them");
  }
  std::vector<WeightedFragment> out;
  for (const auto& [fragment, term, subtrees] : features.chosen()) {
    WeightedFragment& made = out.emplace_back();
    made.fragment = fragment;
    made.term = term;
    made.subtrees = subtrees;
  }
  const std::size_t classes = std::max<std::size_t>(1, model.classes().size());
  for (std::uint32_t c = 0; c < classes; ++c) {
    const auto weights = model.fragments()->score_weights(classifier_weights(model, c));
    for (std::size_t k = 0; k < out.size(); ++k) out[k].weights.push_back(weights[k]);
  }
  if (data == nullptr) return out;
  auto support = features.support(*data, context);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].examples = support[k].examples;
    out[k].occurrences = support[k].occurrences;
    out[k].places = std::move(support[k].places);
  }
  return out;
}

ModelFragments listed_features(const Model& model, const FragmentOptions& options,
                               std::span<const std::uint32_t> classes, const Dataset* data,
                               const Context& context) {
  check(options);
  const std::vector<WeightedFragment> all = weighted_features(model, data, context);
  ModelFragments out = without_lists(model, data);
  out.terms = model.fragments()->features.terms();
  for (const std::uint32_t c : classes) {
    std::vector<WeightedFragment> list;
    std::ranges::copy_if(all, std::back_inserter(list), [&](const WeightedFragment& each) {
      const std::size_t size = each.fragment.size;
      return each.weights[c] != 0 && size >= options.min_size &&
             (options.max_size == 0 || size <= options.max_size);
    });
    std::ranges::stable_sort(list, std::greater(), [c](const WeightedFragment& each) {
      return std::abs(each.weights[c]);
    });
    if (list.size() > options.top) list.resize(options.top);
    out.lists.push_back({c, {.fragments = std::move(list)}});
  }
  return out;
}

}  // namespace

ModelFragments model_fragments(const Model& model, const FragmentOptions& options,
                               const std::string& of_class, const Dataset* data,
                               const Context& context) {
  const std::vector<std::uint32_t> searched =
      of_class.empty() ? scored_classes(model) : std::vector{class_number(model, of_class)};
  if (model.fragments() != nullptr) {
    return listed_features(model, options, searched, data, context);
  }
  ModelFragments out = without_lists(model, data);
  out.terms = fragment_terms(model.functions);
  out.others = parts_without_fragments(model.functions);
  auto lists =
      top_fragments(model.functions, score_matrix(model), options, data, context, searched);
  for (std::size_t k = 0; k < lists.size(); ++k) {
    out.lists.push_back({searched[k], std::move(lists[k])});
  }
  return out;
}

ModelFragments tree_fragments(const FittedKernel& kernel, const Tree& tree,
                              const FragmentOptions& options, const Context& context) {
  Example example;
  example.trees.push_back({"tree", tree});
  Dataset data;
  data.add(example);
  Matrix<double> one(1, 1);
  one(0, 0) = 1;
  KernelFunctions functions(kernel);
  functions.add(data, one, context);
  ModelFragments out;
  out.kernel = kernel.to_string();
  out.classes = {""};
  out.terms = fragment_terms(functions);
  out.others = parts_without_fragments(functions);
  out.examples = 1;
  out.lists.push_back(
      {0, std::move(top_fragments(functions, one, options, &data, context).front())});
  return out;
}

}  // namespace espalier
