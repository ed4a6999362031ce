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

PlanOptions plan_options(const DistributedTreeOptions& options) {
  const bool paths = options.fragments == DistributedFragments::subpaths;
  // Nodes of a path have one child each, so arity is irrelevant.
  return {options.arity && !paths, paths, !paths && options.compose == Composition::product};
}

}  // namespace

struct DistributedTrees::State {
  explicit State(const DistributedTreeOptions& o)
      : options(o),
        slices(make_slices(o.seed, o.dim, o.compose == Composition::product ? slice_width : 0)) {}
  LabelSigns labels() const { return {options.seed, options.dim, slices}; }

  DistributedTreeOptions options;
  std::vector<Slice> slices;
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
  if (!forest.options().ordered) throw Error("distributed trees need an ordered forest");
  const std::vector<Slice>& slices = state_->slices;
  LabelSigns labels = state_->labels();
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

  std::vector<std::unique_ptr<Evaluator>> evaluators(threads);
  parallel(
      plans.size() * slices.size(), context,
      [&](std::size_t worker, std::size_t task) {
        auto& evaluator = evaluators[worker];
        if (!evaluator) evaluator = std::make_unique<Evaluator>(state_->options, labels);
        evaluator->run(plans[task / slices.size()], slices[task % slices.size()], rows);
      },
      [&](std::size_t task) {
        return static_cast<double>(plans[task / slices.size()].children.size());
      });
}

std::vector<float> DistributedTrees::label_vector(std::string_view label,
                                                  std::uint32_t arity) const {
  LabelSigns labels = state_->labels();
  const std::uint32_t id = labels.find_or_add(label, state_->options.arity ? arity : 0);
  const auto entry = static_cast<float>(1 / std::sqrt(static_cast<double>(state_->options.dim)));
  std::vector<float> out(state_->options.dim);
  for (const Slice& slice : state_->slices) {
    const std::uint32_t* const words = labels.words(id, plain_form, slice);
    for (std::size_t i = 0; i < slice.size; ++i) {
      const std::uint32_t word = words[i / 256 * lane_count + i % lane_count];
      out[slice.begin + i] = (word << (i % 256 / lane_count) & sign_bit) != 0 ? -entry : entry;
    }
  }
  return out;
}

std::vector<float> DistributedTrees::compose(std::span<const float> a,
                                             std::span<const float> b) const {
  const LabelSigns labels = state_->labels();
  const auto composer = make_composer(state_->options, labels);
  const double length = std::sqrt(static_cast<double>(state_->options.dim));
  std::vector<float> out(state_->options.dim);
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
        evaluator(std::make_unique<Evaluator>(state->options, labels)) {}

  void forget_labels() {
    labels.clear();
    evaluator = std::make_unique<Evaluator>(state->options, labels);
  }

  std::shared_ptr<const DistributedTrees::State> state;
  LabelSigns labels;
  std::unique_ptr<Evaluator> evaluator;
  Plan plan;
};

DistributedTreeStream::DistributedTreeStream(const DistributedTrees& trees)
    : workspace_(std::make_unique<Workspace>(trees.state_)) {}
DistributedTreeStream::DistributedTreeStream(DistributedTreeStream&&) noexcept = default;
DistributedTreeStream& DistributedTreeStream::operator=(DistributedTreeStream&&) noexcept = default;
DistributedTreeStream::~DistributedTreeStream() = default;

void DistributedTreeStream::transform(const Tree& tree, std::span<float> row) {
  Workspace& w = *workspace_;
  if (row.size() != w.state->options.dim) {
    throw Error(fmt::format("a row of {} values for vectors of dimension {}", row.size(),
                            w.state->options.dim));
  }
  if (w.labels.bytes() > most_stream_bytes) w.forget_labels();
  plan_tree(tree, plan_options(w.state->options), w.labels, w.plan);
  for (const Slice& slice : w.state->slices) w.evaluator->run(w.plan, slice, row.data());
}

}  // namespace espalier
