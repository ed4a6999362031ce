#include "distributed/evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "base/simd.hpp"

namespace espalier::distributed {

namespace {

/// out = the sum of the terms.
ESPALIER_SIMD void add_up(std::span<const Operand> terms, const LabelVectors& labels,
                          const Slice& slice, float* out) {
  for (std::size_t i = 0; i < slice.blocks(); ++i) {
    Lanes sum = {};
    for (const Operand& term : terms) {
      if (term.label != none) {
        const std::uint32_t* const words = labels.words(term.label, plain_form, slice);
        sum += signed_ones(load(words + i / 32 * lane_count) << static_cast<std::uint32_t>(i % 32));
      }
      if (term.vector != nullptr) sum += load(term.vector + lane_count * i) * term.scale;
    }
    store(out + lane_count * i, sum);
  }
}

ESPALIER_SIMD void add_signs(const Operand& signs, std::size_t blocks, float* sum) {
  for (std::size_t first = 0; first < blocks; first += 32) {
    add_terms({&signs, 1}, first, std::min(first + 32, blocks), sum, sum);
  }
}

/// The largest absolute value.
ESPALIER_SIMD float largest(const float* from, std::size_t blocks) {
  Lanes most = {};
  for (std::size_t i = 0; i < blocks; ++i) {
    const Words bits = reinterpret_cast<Words>(load(from + lane_count * i)) & ~sign_bit;
    const Lanes value = reinterpret_cast<Lanes>(bits);
    most = value > most ? value : most;
  }
  float out = 0;
  for (std::size_t l = 0; l < lane_count; ++l) out = std::max(out, most[l]);
  return out;
}

}  // namespace

Evaluator::Evaluator(const DistributedTreeOptions& options, const LabelVectors& labels,
                     double gamma)
    : options_(options),
      labels_(labels),
      composer_(make_composer(options, labels, gamma)),
      scale_(static_cast<float>(std::sqrt(options.decay))) {}

std::unique_ptr<Composer> make_composer(const DistributedTreeOptions& options,
                                        const LabelVectors& labels, double gamma) {
  if (options.compose == Composition::product) return make_product(labels, gamma);
  return make_convolution(labels, options.dim, options.recipe == Recipe::papers);
}

void Evaluator::run(const Plan& plan, const Slice& slice, std::size_t index,
                    const RowSlices& rows) {
  // Whole cache lines, so that slots are aligned; one more, so that equal offsets of two slots do
  // not map to the same cache set.
  stride_ = (slice.padded_size() + 15) / 16 * 16 + 16;
  if (memory_.rows() * memory_.columns() < (plan.slots + 2) * stride_) {
    memory_ = Matrix<float>(plan.slots + 2, stride_);
  }
  slots_ = memory_.data() + 2 * stride_;
  sign_stride_ = sign_words(slice.size);
  if (signs_.size() < (plan.sign_slots + 2) * sign_stride_) {
    signs_.resize((plan.sign_slots + 2) * sign_stride_);
  }
  exponents_.assign(plan.slots, 0);
  largest_.assign(plan.slots, 0);
  entries_.resize(slice.size);
  for (const std::size_t row : plan.empty_rows) {
    std::fill_n(rows.values + row * options_.dim + slice.begin, slice.size, 0.0F);
    rows.exponents[row * rows.slices + index] = 0;
  }
  std::size_t output = 0;
  const auto write_roots = [&](std::uint32_t step) {
    for (; output < plan.outputs.size() && plan.outputs[output].root.step == step; ++output) {
      write(plan, plan.outputs[output], slice, index, rows);
    }
  };
  write_roots(none);
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    const Plan::Step& step = plan.steps[i];
    const bool paths = options_.fragments == DistributedFragments::subpaths;
    if (step.signs) {
      evaluate_signs(plan, step, slice);
    } else if (fits_single(plan, step)) {
      paths ? evaluate_paths(plan, step, slice) : evaluate(plan, step, slice);
      exponents_[step.own] = exponents_[step.sum] = 0;
      largest_[step.own] = largest(slot(step.own), slice.blocks());
    } else {
      paths ? evaluate_scaled_paths(plan, step, slice) : evaluate_scaled(plan, step, slice);
    }
    write_roots(i);
  }
}

Operand Evaluator::operand(const Plan& plan, const Plan::Child& child) {
  if (child.step == none) return {child.label};
  Operand out = total(plan, child);
  const Plan::Step& step = plan.steps[child.step];
  if (!step.signs) out.vector = slot(step.own);
  if (options_.fragments == DistributedFragments::subset_trees) out.label = child.label;
  if (options_.fragments != DistributedFragments::subpaths) out.scale = scale_;
  return out;
}

/// The sum over the subtree of an inner node.
Operand Evaluator::total(const Plan& plan, const Plan::Child& child) {
  const Plan::Step& step = plan.steps[child.step];
  if (step.signs) return {none, nullptr, 1, sign_slot(step.own)};
  return {none, slot(step.sum), 1};
}

void Evaluator::evaluate(const Plan& plan, const Plan::Step& step, const Slice& slice) {
  const auto children = plan.children_of(step);
  Operand right = operand(plan, children.back());
  for (std::size_t i = children.size() - 1; i-- > 0;) {
    float* const composed = memory_.data() + (i % 2) * stride_;
    composer_->compose(operand(plan, children[i]), right, slice, composed);
    right = {none, composed, 1};
  }
  terms_.clear();
  for (const Plan::Child& child : children) {
    if (child.step != none) terms_.push_back(total(plan, child));
  }
  composer_->compose({step.label}, right, slice, slot(step.own), {terms_, slot(step.sum)});
}

void Evaluator::evaluate_signs(const Plan& plan, const Plan::Step& step, const Slice& slice) {
  const auto children = plan.children_of(step);
  // out = label (x) right, both of +-1 and shuffled already.
  const auto compose = [&](std::uint32_t label, const std::uint32_t* right, std::uint32_t* out) {
    const std::uint32_t* const left = labels_.words(label, left_form, slice);
    for (std::size_t w = 0; w < sign_stride_; ++w) out[w] = left[w] ^ right[w];
  };
  std::uint32_t* const composed = signs_.data();
  std::uint32_t* const shuffled = signs_.data() + sign_stride_;
  const std::uint32_t* right = labels_.words(children.back().label, right_form, slice);
  for (std::size_t i = children.size() - 1; i-- > 0;) {
    compose(children[i].label, right, composed);
    shuffle_signs(slice, right_side, composed, shuffled);
    right = shuffled;
  }
  compose(step.label, right, sign_slot(step.own));
}

void Evaluator::evaluate_paths(const Plan& plan, const Plan::Step& step, const Slice& slice) {
  const auto children = plan.children_of(step);
  float* const below = memory_.data();
  float* const composed = memory_.data() + stride_;
  terms_.clear();
  for (const Plan::Child& child : children) terms_.push_back(operand(plan, child));
  add_up(terms_, labels_, slice, below);
  composer_->compose({step.label}, {none, below, 1}, slice, composed);
  terms_.assign(1, {step.label, composed, scale_});
  add_up(terms_, labels_, slice, slot(step.own));
  terms_.assign(1, {none, slot(step.own), 1});
  for (const Plan::Child& child : children) {
    if (child.step == none) {
      terms_.push_back({child.label});
    } else {
      terms_.push_back({none, slot(plan.steps[child.step].sum), 1});
    }
  }
  add_up(terms_, labels_, slice, slot(step.sum));
}

void Evaluator::write(const Plan& plan, const Plan::Output& output, const Slice& slice,
                      std::size_t index, const RowSlices& rows) {
  float* const row = rows.values + output.row * options_.dim + slice.begin;
  std::int64_t& exponent = rows.exponents[output.row * rows.slices + index];
  exponent = 0;
  const float* from = memory_.data();
  if (output.root.step != none) {
    const Operand sum = total(plan, output.root);
    if (sum.vector != nullptr) {
      from = sum.vector;
      exponent = exponents_[plan.steps[output.root.step].sum];
    } else {
      std::fill_n(memory_.data(), slice.padded_size(), 0.0F);
      add_signs(sum, slice.blocks(), memory_.data());
    }
  } else if (options_.fragments == DistributedFragments::subpaths) {
    from = labels_.entries(output.root.label, slice, entries_.data());
  } else {
    std::fill_n(memory_.data(), slice.size, 0.0F);
  }
  const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(options_.dim)));
  for (std::size_t i = 0; i < slice.size; ++i) row[i] = from[i] * factor;
}

}  // namespace espalier::distributed
