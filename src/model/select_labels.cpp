#include "espalier/model/select_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "espalier/data/labels.hpp"
#include "espalier/evaluate/regression.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "espalier/model/targets.hpp"
#include "espalier/model/validation.hpp"

namespace espalier {

namespace {

constexpr std::size_t least_examples = 4;

/// The only kernel on trees, or null.
const TreeKernelNode* find_tree_kernel(const KernelNode& node) {
  if (const auto* tree = std::get_if<TreeKernelNode>(&node.what)) return tree;
  const auto* combination = std::get_if<CombinationNode>(&node.what);
  if (combination == nullptr) return nullptr;
  for (const KernelNode& operand : combination->operands) {
    if (const TreeKernelNode* found = find_tree_kernel(operand)) return found;
  }
  return nullptr;
}

/// The class of each example; 0 for all of them if classes do not count.
std::vector<std::uint32_t> strata(const Dataset& data, bool supervised) {
  if (!supervised) return std::vector<std::uint32_t>(data.size(), 0);
  const Targets targets = make_targets(data, Task::classification);
  if (targets.multi_label()) throw Error("labels are chosen for examples with one class each");
  return rarest_classes(targets.classes);
}

std::vector<std::uint32_t> draw_sample(const std::vector<std::uint32_t>& classes,
                                       const SelectOptions& options) {
  std::vector<std::uint32_t> all(classes.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  if (options.sample == 0 || options.sample >= all.size()) return all;
  const double fraction = static_cast<double>(options.sample) / static_cast<double>(classes.size());
  return random_splits(classes, {.train_fraction = fraction, .repeats = 1, .seed = options.seed})[0]
      .train;
}

/// What the nodes with each label add to the kernels between two halves of a sample.
class Gains {
 public:
  /// The classes are numbered from 0; one class counts as none.
  Gains(const FittedKernel& kernel, const Dataset& sample, std::vector<std::uint32_t> classes,
        std::uint64_t seed, const Context& context)
      : kernel_(kernel), sample_(sample), classes_(std::move(classes)), context_(context) {
    const Split halves = stratified_k_fold(classes_, 2, seed)[0];
    count_classes(halves);
    KernelFunctions functions(kernel_);
    functions.add(sample_.view(halves.train), coefficients(halves.train), context_);
    constexpr std::size_t at_a_time = 64;  // bounds the memory of the contributions
    for (std::size_t at = 0; at < halves.test.size(); at += at_a_time) {
      add(functions,
          std::span(halves.test).subspan(at).first(std::min(at_a_time, halves.test.size() - at)));
    }
  }

  std::vector<LabelGain> result() && {
    std::vector<LabelGain> out;
    double pairs = 0;
    for (const auto& [label, entry] : labels_) pairs += entry.nodes * entry.nodes;
    for (const auto& [label, entry] : labels_) {
      out.push_back({label, entry.gain, entry.nodes * entry.nodes / pairs});
    }
    return out;
  }

 private:
  struct Entry {
    double gain = 0;
    double nodes = 0;
  };

  void count_classes(const Split& halves) {
    const std::size_t count = std::size_t{1} + std::ranges::max(classes_);
    train_sizes_.resize(count, 0);
    test_sizes_.resize(count, 0);
    for (const std::uint32_t i : halves.train) ++train_sizes_[classes_[i]];
    for (const std::uint32_t i : halves.test) ++test_sizes_[classes_[i]];
    for (std::size_t c = 0; c < count; ++c) {
      trained_ += train_sizes_[c] > 0 ? 1 : 0;
      tested_ += test_sizes_[c] > 0 ? 1 : 0;
    }
  }

  /// A function for each class: the mean kernel with its examples.
  Matrix<double> coefficients(std::span<const std::uint32_t> train) const {
    Matrix<double> out(train_sizes_.size(), train.size());
    std::fill_n(out.data(), out.rows() * out.columns(), 0.0);
    for (std::size_t j = 0; j < train.size(); ++j) {
      const std::uint32_t c = classes_[train[j]];
      out(c, j) = 1 / train_sizes_[c];
    }
    return out;
  }

  void add(const KernelFunctions& functions, std::span<const std::uint32_t> examples) {
    const Dataset part = sample_.view(examples);
    const auto all = functions.contributions(part, context_);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (const TreeContributions& tree : all[i].trees) {
        const Forest& forest =
            part.forests()[part.trees(tree.slot.name, tree.slot.member).forest].value;
        for (std::size_t k = 0; k < tree.vertices.size(); ++k) {
          if (!counts(forest, tree.vertices[k])) continue;
          Entry& entry = labels_[std::string(forest.labels().text(forest.label(tree.vertices[k])))];
          entry.nodes += tree.counts[k];
          entry.gain += tree.counts[k] * gain(classes_[examples[i]], tree.values.row(k));
        }
      }
    }
  }

  /// Whether the vertex adds anything to the kernel.
  bool counts(const Forest& forest, VertexId v) const {
    const auto* sst = std::get_if<SubsetTreeOptions>(&find_tree_kernel(kernel_.root())->options);
    return sst == nullptr || sst->leaves || !forest.is_leaf(v);
  }

  /// Of an example with that class, given its mean kernels with the classes.
  double gain(std::uint32_t c, std::span<const double> values) const {
    double others = 0;
    for (std::size_t o = 0; o < values.size(); ++o) others += o == c ? 0 : values[o];
    if (trained_ > 1) others /= trained_ - (train_sizes_[c] > 0 ? 1 : 0);
    return (values[c] - others) / (tested_ * test_sizes_[c]);
  }

  const FittedKernel& kernel_;
  const Dataset& sample_;
  std::vector<std::uint32_t> classes_;  ///< per example
  const Context& context_;
  std::vector<double> train_sizes_;  ///< per class
  std::vector<double> test_sizes_;
  double trained_ = 0;  ///< classes with examples
  double tested_ = 0;
  std::map<std::string, Entry> labels_;
};

/// The best first; on ties in the order of the labels.
void sort_and_select(std::vector<LabelGain>& labels, const SelectOptions& options) {
  const auto preference = [&](const LabelGain& each) {
    return options.top > 0 ? each.gain : each.gain / each.cost;
  };
  std::ranges::stable_sort(labels, std::greater(), preference);
  double left = options.budget;
  std::size_t selected = 0;
  for (LabelGain& each : labels) {
    const bool fits = options.top > 0 ? selected < options.top : each.cost <= left;
    each.selected = each.gain > 0 && fits;
    if (!each.selected) continue;
    ++selected;
    left -= each.cost;
  }
}

double seconds_for(const FittedKernel& kernel, const Dataset& data, const Context& context,
                   std::vector<double>& values) {
  const auto start = std::chrono::steady_clock::now();
  const Matrix<double> matrix = gram(kernel, data, context);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  values.clear();
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < i; ++j) values.push_back(matrix(i, j));
  }
  return taken.count();
}

bool has_classes(const Dataset& data) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data.labels(i).size() != 1) return false;
  }
  return !count_labels(data).regression() &&
         make_targets(data, Task::classification).names.size() > 1;
}

}  // namespace

SelectedLabels select_labels(const FittedKernel& kernel, const Dataset& data,
                             const SelectOptions& options, const Context& context) {
  with_labels(kernel.kernel, {""});  // throws if it cannot
  if (options.top > 0 && options.budget != SelectOptions().budget) {
    throw Error("give either a number of labels or a budget");
  }
  if (data.size() < least_examples || (options.sample > 0 && options.sample < least_examples)) {
    throw Error(fmt::format("labels are chosen on {} examples or more", least_examples));
  }
  const std::vector<std::uint32_t> classes = strata(data, options.supervised);
  if (options.supervised && std::ranges::count(classes, classes[0]) == std::ssize(classes)) {
    throw Error("all examples have the same class: labels that distinguish classes need two");
  }
  SelectedLabels out{kernel, {}, draw_sample(classes, options)};
  std::vector<std::uint32_t> drawn;
  for (const std::uint32_t i : out.sample) drawn.push_back(classes[i]);
  const Dataset sample = data.view(out.sample);
  out.labels = Gains(kernel, sample, std::move(drawn), options.seed, context).result();
  if (out.labels.empty()) {
    throw Error(
        "labels are chosen for sums and norms of kernels on trees, and here no tree adds to the "
        "kernel by itself");
  }
  sort_and_select(out.labels, options);
  std::vector<std::string> selected;
  for (const LabelGain& each : out.labels) {
    if (each.selected) selected.push_back(each.label);
  }
  if (selected.empty()) {
    throw Error(
        fmt::format("no label with a positive gain has at most {} of the cost: raise the "
                    "budget, or give a number of labels",
                    options.budget));
  }
  out.kernel.kernel = with_labels(kernel.kernel, std::move(selected));
  return out;
}

SelectionEffect compare_kernels(const FittedKernel& full, const FittedKernel& selected,
                                const Dataset& data, const Context& context) {
  SelectionEffect out;
  std::vector<double> values, values_selected;
  for (int run = 0; run < 3; ++run) {
    const double first = seconds_for(full, data, context, values);
    const double second = seconds_for(selected, data, context, values_selected);
    out.seconds = run == 0 ? first : std::min(out.seconds, first);
    out.seconds_selected = run == 0 ? second : std::min(out.seconds_selected, second);
  }
  if (!values.empty()) out.correlation = evaluate_regression(values, values_selected).pearson;
  const std::size_t groups = example_groups(data, {}).count;
  if (!has_classes(data) || groups < 2) return out;
  const auto accuracy = [&](const FittedKernel& kernel) {
    const ValidationOptions folds{.folds = std::min<std::size_t>(5, groups)};
    return Metric("accuracy").value(cross_validate(kernel, data, {}, folds, context).pooled);
  };
  out.accuracy = accuracy(full);
  out.accuracy_selected = accuracy(selected);
  return out;
}

}  // namespace espalier
