#include "espalier/learn/classifier.hpp"

#include "learn/binary_training_set.hpp"

namespace espalier {

BinaryClassifiers train_classifier(const GramView& view, const ClassLists& labels,
                                   const ClassifierOptions& options, const Context& context) {
  check_classifier(view, labels, options);
  BinaryClassifiers out;
  out.class_sizes = labels.class_sizes();
  out.problems = binary_problems(labels, options.multi_class);
  out.functions.resize(out.problems.size());
  const auto work = [&](std::size_t, std::size_t m) {
    out.functions[m] =
        train(view, training_set(labels, out.problems[m], options), options.solver, context);
  };
  const auto cost = [&](std::size_t m) {
    const auto [positive, negative] = out.problems[m];
    const std::size_t size =
        negative == none ? view.size() : out.class_sizes[positive] + out.class_sizes[negative];
    return static_cast<double>(size) * static_cast<double>(size);
  };
  parallel(out.functions.size(), context, work, cost);
  return out;
}

}  // namespace espalier
