#include "learn/binary_training_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "learn/training.hpp"

namespace espalier {

namespace {

/// C for the two classes of a binary problem.
struct SideCosts {
  double positive;
  double negative;
};

SideCosts side_costs(const BinaryProblem& problem, std::size_t positives, std::size_t negatives,
                     const ClassifierOptions& options) {
  const bool pair = problem.negative != none;
  SideCosts costs = {options.cost, options.cost};
  if (options.weights == ClassWeights::given) {
    costs.positive *= options.class_weights[problem.positive];
    if (pair) costs.negative *= options.class_weights[problem.negative];
  } else if (options.weights == ClassWeights::balanced && positives > 0 && negatives > 0) {
    const double ratio = static_cast<double>(negatives) / static_cast<double>(positives);
    // The order of a pair is arbitrary: the smaller class gets the factor.
    if (pair && ratio < 1) {
      costs.negative /= ratio;
    } else {
      costs.positive *= ratio;
    }
  }
  return costs;
}

}  // namespace

BinaryTrainingSet BinaryTrainingSet::select(std::span<const std::uint32_t> places) const {
  BinaryTrainingSet out;
  for (const std::uint32_t p : places) {
    out.positions.push_back(positions[p]);
    out.signs.push_back(signs[p]);
    out.costs.push_back(costs[p]);
  }
  return out;
}

void check_labels(std::size_t examples, const ClassLists& labels,
                  const ClassifierOptions& options) {
  if (labels.size() != examples) {
    throw Error(
        fmt::format("there are classes for {} examples, but {} examples: give a list for each",
                    labels.size(), examples));
  }
  check_parameters(options);
  if (options.weights == ClassWeights::given) {
    if (options.class_weights.size() != labels.class_count()) {
      throw Error(fmt::format("there are {} class weights for {} classes: give one for each",
                              options.class_weights.size(), labels.class_count()));
    }
    for (const double weight : options.class_weights) check_above_zero("class weight", weight);
  }
  check_example_weights(examples, options.example_weights);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (options.multi_class == MultiClass::one_vs_one && labels[i].size() > 1) {
      throw Error(
          fmt::format("example {} has several classes: one-vs-one needs a single class; "
                      "choose one-vs-rest",
                      i + 1));
    }
  }
  if (std::ranges::all_of(labels.class_sizes(), [](std::size_t n) { return n == 0; })) {
    throw Error("no example has a class: there is nothing to learn");
  }
}

void check_classifier(const GramView& view, const ClassLists& labels,
                      const ClassifierOptions& options) {
  check_trainable(view, options.solver);
  check_labels(view.size(), labels, options);
}

std::vector<BinaryProblem> binary_problems(const ClassLists& labels, MultiClass multi_class) {
  const auto sizes = labels.class_sizes();
  std::vector<std::uint32_t> present;
  for (std::uint32_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] > 0) present.push_back(c);
  }
  const bool pairs =
      multi_class == MultiClass::one_vs_one || (present.size() == 2 && labels.single());
  std::vector<BinaryProblem> out;
  for (std::size_t a = 0; a < present.size(); ++a) {
    if (!pairs) out.push_back({present[a]});
    for (std::size_t b = a + 1; pairs && b < present.size(); ++b) {
      out.push_back({present[a], present[b]});
    }
  }
  return out;
}

BinaryTrainingSet training_set(const ClassLists& labels, const BinaryProblem& problem,
                               const ClassifierOptions& options) {
  BinaryTrainingSet out;
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    const bool positive = labels.has(i, problem.positive);
    if (!positive && problem.negative != none && !labels.has(i, problem.negative)) continue;
    out.positions.push_back(i);
    out.signs.push_back(positive ? 1 : -1);
  }
  const auto positives = static_cast<std::size_t>(std::ranges::count(out.signs, 1));
  const SideCosts costs = side_costs(problem, positives, out.size() - positives, options);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double weight =
        options.example_weights.empty() ? 1 : options.example_weights[out.positions[k]];
    out.costs.push_back(weight * (out.signs[k] > 0 ? costs.positive : costs.negative));
  }
  return out;
}

DecisionFunction train(const GramView& view, const BinaryTrainingSet& problem,
                       const SolverOptions& options, const Context& context) {
  return solve_svc(view.select(problem.positions), problem.signs, problem.costs, options, context);
}

}  // namespace espalier
