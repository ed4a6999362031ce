#include "espalier/learn/classifier.hpp"

#include "learn/binary_problem.hpp"

namespace espalier {

Machines train_classifier(const GramView& view, const ClassLists& labels,
                          const ClassifierOptions& options, const Context& context) {
  check_classifier(view, labels, options);
  Machines out;
  out.class_sizes = labels.class_sizes();
  out.separations = separations_of(labels, options.multi_class);
  out.machines.resize(out.separations.size());
  const auto work = [&](std::size_t, std::size_t m) {
    out.machines[m] =
        train(view, problem_of(labels, out.separations[m], options), options.solver, context);
  };
  const auto cost = [&](std::size_t m) {
    const auto [positive, negative] = out.separations[m];
    const std::size_t size =
        negative == none ? view.size() : out.class_sizes[positive] + out.class_sizes[negative];
    return static_cast<double>(size) * static_cast<double>(size);
  };
  parallel(out.machines.size(), context, work, cost);
  return out;
}

}  // namespace espalier
