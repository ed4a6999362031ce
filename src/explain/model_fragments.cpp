#include "espalier/explain/model_fragments.hpp"

#include <algorithm>

#include "explain/score_weights.hpp"

namespace espalier {

namespace {

/// One for each class that has examples; all of them if none is named.
std::vector<std::uint32_t> searched_classes(const Model& model, const std::string& name) {
  const std::vector<std::string>& classes = model.classes();
  if (!name.empty()) return {class_number(model, name)};
  if (classes.empty()) return {0};
  std::vector<std::uint32_t> out;
  const auto& problems = std::get<Classification>(model.decision).classifiers.problems;
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    const bool opposite = problems.size() == 1 && problems[0].negative == c;
    const bool scored = std::ranges::any_of(problems, [&](const BinaryProblem& sides) {
      return sides.positive == c || sides.negative == c;
    });
    if (scored && !opposite) out.push_back(c);
  }
  return out;
}

Matrix<double> all_scores(const Model& model) {
  const std::size_t classes = std::max<std::size_t>(1, model.classes().size());
  Matrix<double> out(classes, model.functions.outputs());
  for (std::uint32_t c = 0; c < classes; ++c) {
    std::ranges::copy(linear_weights(model, c), out.row(c).begin());
  }
  return out;
}

}  // namespace

ModelFragments model_fragments(const Model& model, const FragmentOptions& options,
                               const std::string& of_class, const Dataset* data,
                               const Context& context) {
  const std::vector<std::uint32_t> searched = searched_classes(model, of_class);
  ModelFragments out;
  out.kernel = model.functions.kernel().to_string();
  out.classes = model.classes().empty() ? std::vector<std::string>{""} : model.classes();
  out.terms = fragment_terms(model.functions);
  out.others = parts_without_fragments(model.functions);
  if (data != nullptr) out.examples = data->size();
  auto lists = top_fragments(model.functions, all_scores(model), options, data, context, searched);
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
