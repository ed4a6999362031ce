#include "espalier/distributed/distributed_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "distributed/evaluator.hpp"

namespace espalier {

using namespace distributed;

namespace {

constexpr std::size_t slice_width = 1024;
constexpr std::size_t most_stream_bytes = std::size_t{1} << 28;

void check(const DistributedTreeOptions& options) {
  check_parameters(options);
  if (options.compose == Composition::convolution &&
      (options.dim < 2 || !std::has_single_bit(options.dim))) {
    throw Error(fmt::format("dim = {} is not 2, 4, 8, .., which compose=convolution needs; take {}",
                            options.dim, std::bit_ceil(std::max<std::size_t>(options.dim, 2))));
  }
}

bool has_arity(const DistributedTreeOptions& options) {
  return options.arity && options.recipe == Recipe::signs;
}

PlanOptions plan_options(const DistributedTreeOptions& options) {
  const bool paths = options.fragments == DistributedFragments::subpaths;
  const bool signs = options.recipe == Recipe::signs && options.compose == Composition::product;
  // Nodes of a path have one child each, so arity is irrelevant.
  return {has_arity(options) && !paths, paths, !paths && signs};
}

std::vector<Slice> slices_of(const DistributedTreeOptions& options) {
  const bool signs = options.recipe == Recipe::signs;
  const bool sliced = signs && options.compose == Composition::product;
  return make_slices(options.seed, options.dim, sliced ? slice_width : 0, signs);
}

/// The factor that gives products of two label vectors length 1, on average over 32 pairs; for
/// vectors scaled by sqrt(d).
double mean_gamma(const DistributedTreeOptions& options, const std::vector<Slice>& slices) {
  if (options.recipe == Recipe::signs || options.compose == Composition::convolution) return 1;
  constexpr int pairs = 32;
  LabelVectors labels(options, slices);
  double lengths = 0;
  for (int i = 0; i < pairs; ++i) {
    const float* const a =
        labels.entries(labels.find_or_add(fmt::format("{} a", i), 0), slices[0], nullptr);
    const float* const b =
        labels.entries(labels.find_or_add(fmt::format("{} b", i), 0), slices[0], nullptr);
    double square = 0;
    for (std::size_t k = 0; k < options.dim; ++k) {
      const double product = static_cast<double>(a[k]) * static_cast<double>(b[k]);
      square += product * product;
    }
    lengths += std::sqrt(square);
  }
  return std::sqrt(static_cast<double>(options.dim)) * pairs / lengths;
}

/// Gives the slices of a row, each with its own exponent, a common one, and returns it; 0 if the
/// row fits single precision then.
int join_slices(std::span<float> row, const std::vector<Slice>& slices,
                std::span<const std::int64_t> exponents) {
  if (std::ranges::all_of(exponents, [](std::int64_t e) { return e == 0; })) return 0;
  ScaledVector whole, part;
  whole.clear(row.size());
  for (std::size_t s = 0; s < slices.size(); ++s) {
    const std::span<const float> values = row.subspan(slices[s].begin, slices[s].size);
    if (std::ranges::all_of(values, [](float x) { return x == 0; })) continue;
    part.clear(row.size());
    std::ranges::copy(values, part.values.begin() + static_cast<std::ptrdiff_t>(slices[s].begin));
    whole.add(std::span<const double>(part.values), 1, exponents[s]);
  }
  return static_cast<int>(whole.store(row.data()));
}

/// Why a row is not written as it is.
std::string out_of_range(std::size_t row) {
  return fmt::format(
      "tree {}: its vector is outside the range of single precision; vectors of length 1 always "
      "fit: norm(dtk(..)), or embed --normalize",
      row + 1);
}

}  // namespace

struct DistributedTrees::State {
  explicit State(const DistributedTreeOptions& o)
      : options(o), slices(slices_of(o)), gamma(mean_gamma(o, slices)) {}
  LabelVectors labels() const { return {options, slices}; }

  DistributedTreeOptions options;
  std::vector<Slice> slices;
  double gamma;
};

DistributedTrees::DistributedTrees(const DistributedTreeOptions& options)
    : state_((check(options), std::make_shared<const State>(options))) {}

const DistributedTreeOptions& DistributedTrees::options() const { return state_->options; }

Matrix<float> DistributedTrees::transform(const Forest& forest, const Context& context) const {
  Matrix<float> rows(forest.tree_count(), state_->options.dim);
  std::vector<TreeId> trees(forest.tree_count());
  std::iota(trees.begin(), trees.end(), TreeId{0});
  transform(forest, trees, rows.data(), context);
  return rows;
}

void DistributedTrees::transform(const Forest& forest, std::span<const TreeId> trees, float* rows,
                                 const Context& context) const {
  const std::vector<int> exponents = transform_scaled(forest, trees, rows, context);
  const auto outside = std::ranges::find_if(exponents, [](int e) { return e != 0; });
  if (outside != exponents.end()) {
    throw Error(out_of_range(static_cast<std::size_t>(outside - exponents.begin())));
  }
}

std::vector<int> DistributedTrees::transform_scaled(const Forest& forest,
                                                    std::span<const TreeId> trees, float* rows,
                                                    const Context& context) const {
  if (!forest.options().ordered) throw Error("distributed trees need an ordered forest");
  const std::vector<Slice>& slices = state_->slices;
  LabelVectors labels = state_->labels();
  const std::size_t threads = thread_count(context);
  const std::size_t memory = context.memory / threads;

  // If there are fewer slices than threads, split the trees; if memory is short, process fewer
  // trees at a time. Subtrees shared by several parts are computed in each of them.
  std::vector<Plan> plans;
  const std::size_t parts =
      slices.size() >= threads ? 1 : std::min(trees.size(), threads / slices.size() + 1);
  const auto add_plans = [&](auto& self, std::size_t begin, std::size_t end) -> void {
    if (begin == end) return;
    Plan plan = plan_forest(forest, trees.subspan(begin, end - begin), begin,
                            plan_options(state_->options), labels);
    if (end - begin > 1 && Evaluator::bytes(plan, slices.back()) > memory) {
      self(self, begin, begin + (end - begin) / 2);
      self(self, begin + (end - begin) / 2, end);
    } else {
      plans.push_back(std::move(plan));
    }
  };
  for (std::size_t part = 0; part < parts; ++part) {
    add_plans(add_plans, trees.size() * part / parts, trees.size() * (part + 1) / parts);
  }

  std::vector<std::int64_t> slice_exponents(trees.size() * slices.size());
  const RowSlices out{rows, slice_exponents.data(), slices.size()};
  std::vector<std::unique_ptr<Evaluator>> evaluators(threads);
  parallel(
      plans.size() * slices.size(), context,
      [&](std::size_t worker, std::size_t task) {
        auto& evaluator = evaluators[worker];
        if (!evaluator) {
          evaluator = std::make_unique<Evaluator>(state_->options, labels, state_->gamma);
        }
        const std::size_t slice = task % slices.size();
        evaluator->run(plans[task / slices.size()], slices[slice], slice, out);
      },
      [&](std::size_t task) {
        return static_cast<double>(plans[task / slices.size()].children.size());
      });
  std::vector<int> exponents(trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    exponents[i] =
        join_slices({rows + i * state_->options.dim, state_->options.dim}, slices,
                    std::span(slice_exponents).subspan(i * slices.size(), slices.size()));
  }
  return exponents;
}

std::vector<float> DistributedTrees::label_vector(std::string_view label,
                                                  std::uint32_t arity) const {
  LabelVectors labels = state_->labels();
  const std::uint32_t id = labels.find_or_add(label, has_arity(state_->options) ? arity : 0);
  const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(state_->options.dim)));
  std::vector<float> out(state_->options.dim);
  for (const Slice& slice : state_->slices) {
    float* const to = out.data() + slice.begin;
    std::copy_n(labels.entries(id, slice, to), slice.size, to);
  }
  for (float& entry : out) entry *= factor;
  return out;
}

std::vector<float> DistributedTrees::compose(std::span<const float> a,
                                             std::span<const float> b) const {
  const LabelVectors labels = state_->labels();
  const auto composer = make_composer(state_->options, labels, state_->gamma);
  const double length = std::sqrt(static_cast<double>(state_->options.dim));
  std::vector<float> out(state_->options.dim);
  if (state_->options.recipe == Recipe::papers) {
    const std::vector<double> left(a.begin(), a.end()), right(b.begin(), b.end());
    std::vector<double> composed(out.size());
    composer->compose(left, right, state_->slices[0], composed);
    std::ranges::transform(composed, out.begin(),
                           [&](double x) { return static_cast<float>(x * length); });
    return out;
  }
  for (const Slice& slice : state_->slices) {
    Matrix<float> work(3, (slice.padded_size() + 15) / 16 * 16);
    std::fill_n(work.data(), work.rows() * work.columns(), 0.0F);
    std::copy_n(a.data() + slice.begin, slice.size, work.row(0).data());
    std::copy_n(b.data() + slice.begin, slice.size, work.row(1).data());
    // Composers work on vectors scaled by sqrt(d).
    composer->compose({none, work.row(0).data(), 1},
                      {none, work.row(1).data(), static_cast<float>(length)}, slice,
                      work.row(2).data());
    std::copy_n(work.row(2).data(), slice.size, out.data() + slice.begin);
  }
  return out;
}

struct DistributedTreeStream::Workspace {
  explicit Workspace(std::shared_ptr<const DistributedTrees::State> s)
      : state(std::move(s)),
        labels(state->labels()),
        evaluator(std::make_unique<Evaluator>(state->options, labels, state->gamma)) {}

  void forget_labels() {
    labels.clear();
    evaluator = std::make_unique<Evaluator>(state->options, labels, state->gamma);
  }

  std::shared_ptr<const DistributedTrees::State> state;
  LabelVectors labels;
  std::unique_ptr<Evaluator> evaluator;
  Plan plan;
};

DistributedTreeStream::DistributedTreeStream(const DistributedTrees& trees)
    : workspace_(std::make_unique<Workspace>(trees.state_)) {}
DistributedTreeStream::DistributedTreeStream(DistributedTreeStream&&) noexcept = default;
DistributedTreeStream& DistributedTreeStream::operator=(DistributedTreeStream&&) noexcept = default;
DistributedTreeStream::~DistributedTreeStream() = default;

void DistributedTreeStream::transform(const Tree& tree, std::span<float> row) {
  if (transform_scaled(tree, row) != 0) throw Error(out_of_range(0));
}

int DistributedTreeStream::transform_scaled(const Tree& tree, std::span<float> row) {
  Workspace& w = *workspace_;
  if (row.size() != w.state->options.dim) {
    throw Error(fmt::format("a row of {} values for vectors of dimension {}", row.size(),
                            w.state->options.dim));
  }
  if (w.labels.bytes() > most_stream_bytes) w.forget_labels();
  plan_tree(tree, plan_options(w.state->options), w.labels, w.plan);
  const std::vector<Slice>& slices = w.state->slices;
  std::vector<std::int64_t> exponents(slices.size());
  for (std::size_t s = 0; s < slices.size(); ++s) {
    w.evaluator->run(w.plan, slices[s], s, {row.data(), exponents.data(), slices.size()});
  }
  return join_slices(row, slices, exponents);
}

}  // namespace espalier
