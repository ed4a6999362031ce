#include "embed/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/simd.hpp"

namespace espalier::distributed {

namespace {

template <bool labels_too>
ESPALIER_INLINE void add_blocks(std::span<const Operand> terms, const LabelSigns& labels,
                                const Slice& slice, float* out) {
  for (std::size_t i = 0; i < slice.blocks(); ++i) {
    Lanes sum = {};
    for (const Operand& term : terms) {
      if constexpr (labels_too) {
        if (term.label != none) {
          const std::uint32_t* const words = labels.words(term.label, plain_form, slice.begin);
          sum += signed_ones(load(words + i / 32 * lane_count), i % 32);
        }
        if (term.vector == nullptr) continue;
      }
      sum += load(term.vector + lane_count * i) * term.scale;
    }
    store(out + lane_count * i, sum);
  }
}

ESPALIER_SIMD void add_vectors(std::span<const Operand> terms, const LabelSigns& labels,
                               const Slice& slice, float* out) {
  add_blocks<false>(terms, labels, slice, out);
}

ESPALIER_SIMD void add_operands(std::span<const Operand> terms, const LabelSigns& labels,
                                const Slice& slice, float* out) {
  add_blocks<true>(terms, labels, slice, out);
}

/// to = factor * from, in whole blocks. Whether all of them are finite.
ESPALIER_SIMD bool scaled(const float* from, std::size_t size, float factor, float* to) {
  Lanes wrong = {};
  const std::size_t whole = size / lane_count * lane_count;
  for (std::size_t i = 0; i < whole; i += lane_count) {
    const Lanes value = load(from + i) * factor;
    wrong += value - value;
    store(to + i, value);
  }
  for (std::size_t i = whole; i < size; ++i) {
    to[i] = from[i] * factor;
    wrong[0] += to[i] - to[i];
  }
  float sum = 0;
  for (std::size_t l = 0; l < lane_count; ++l) sum += wrong[l];
  return sum == 0;
}

}  // namespace

Evaluator::Evaluator(const DistributedTreeOptions& options, const LabelSigns& labels)
    : options_(options),
      labels_(labels),
      composer_(make_composer(options, labels)),
      scale_(static_cast<float>(std::sqrt(options.decay))) {}

std::unique_ptr<Composer> make_composer(const DistributedTreeOptions& options,
                                        const LabelSigns& labels) {
  if (options.compose == Composition::product) return make_product(labels);
  return make_convolution(labels, options.dimension);
}

void Evaluator::run(const Plan& plan, const Slice& slice, float* rows) {
  // Whole cache lines, so that slots are aligned.
  stride_ = (slice.padded_size() + 15) / 16 * 16;
  if (memory_.rows() * memory_.columns() < (plan.slots + 2) * stride_) {
    memory_ = Matrix<float>(plan.slots + 2, stride_);
  }
  slots_ = memory_.data() + 2 * stride_;
  for (const std::size_t row : plan.empty_rows) {
    std::fill_n(rows + row * options_.dimension + slice.begin, slice.size, 0.0F);
  }
  std::size_t output = 0;
  const auto write_roots = [&](std::uint32_t step) {
    for (; output < plan.outputs.size() && plan.outputs[output].root.step == step; ++output) {
      write(plan, plan.outputs[output], slice, rows);
    }
  };
  write_roots(none);
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    if (options_.fragments == DistributedFragments::subpaths) {
      evaluate_paths(plan, plan.steps[i], slice);
    } else {
      evaluate(plan, plan.steps[i], slice);
    }
    write_roots(i);
  }
}

Operand Evaluator::operand(const Plan& plan, const Plan::Child& child) const {
  if (child.step == none) return {child.label};
  const float* const own = slot(plan.steps[child.step].own);
  switch (options_.fragments) {
    case DistributedFragments::subset_trees:
      return {child.label, own, scale_};
    case DistributedFragments::subtrees:
      return {none, own, scale_};
    case DistributedFragments::subpaths:
      break;
  }
  return {none, own, 1};
}

void Evaluator::evaluate(const Plan& plan, const Plan::Step& step, const Slice& slice) {
  const auto children = plan.children_of(step);
  Operand right = operand(plan, children.back());
  for (std::size_t i = children.size() - 1; i-- > 0;) {
    float* const composed = memory_.data() + (i % 2) * stride_;
    composer_->compose(operand(plan, children[i]), right, slice, composed);
    right = {none, composed, 1};
  }
  composer_->compose({step.label}, right, slice, slot(step.own));
  if (step.sum == step.own) return;
  terms_.assign(1, {none, slot(step.own), 1});
  for (const Plan::Child& child : children) {
    if (child.step != none) terms_.push_back({none, slot(plan.steps[child.step].sum), 1});
  }
  add_vectors(terms_, labels_, slice, slot(step.sum));
}

void Evaluator::evaluate_paths(const Plan& plan, const Plan::Step& step, const Slice& slice) {
  const auto children = plan.children_of(step);
  float* const below = memory_.data();
  float* const composed = memory_.data() + stride_;
  terms_.clear();
  for (const Plan::Child& child : children) terms_.push_back(operand(plan, child));
  add_operands(terms_, labels_, slice, below);
  composer_->compose({step.label}, {none, below, 1}, slice, composed);
  terms_.assign(1, {step.label, composed, scale_});
  add_operands(terms_, labels_, slice, slot(step.own));
  terms_.assign(1, {none, slot(step.own), 1});
  for (const Plan::Child& child : children) {
    if (child.step == none) {
      terms_.push_back({child.label});
    } else {
      terms_.push_back({none, slot(plan.steps[child.step].sum), 1});
    }
  }
  add_operands(terms_, labels_, slice, slot(step.sum));
}

void Evaluator::write(const Plan& plan, const Plan::Output& output, const Slice& slice,
                      float* rows) {
  float* const row = rows + output.row * options_.dimension + slice.begin;
  const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(options_.dimension)));
  if (output.root.step == none) {
    if (options_.fragments != DistributedFragments::subpaths) {
      std::fill_n(row, slice.size, 0.0F);
      return;
    }
    const Operand label{output.root.label};
    add_operands({&label, 1}, labels_, slice, memory_.data());
    scaled(memory_.data(), slice.size, factor, row);
    return;
  }
  if (!scaled(slot(plan.steps[output.root.step].sum), slice.size, factor, row)) {
    throw Error(fmt::format(
        "tree {}: its vector exceeds single precision; a smaller decay (lambda) than {} helps",
        output.row + 1, options_.decay));
  }
}

}  // namespace espalier::distributed
