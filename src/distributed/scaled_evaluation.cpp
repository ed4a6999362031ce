#include <cmath>

#include "distributed/evaluator.hpp"

namespace espalier::distributed {

/// Whether no entry of s(n), nor of what it is composed of, can leave the range of single precision
/// so far that it matters: entries are at most 2^100 then, and what is lost by underflow is below
/// 2^-149 * 2^100, where the entries of a label are 1.
bool Evaluator::fits_single(const Plan& plan, const Plan::Step& step) const {
  if (options_.recipe == Recipe::papers) return false;
  const bool paths = options_.fragments == DistributedFragments::subpaths;
  // An entry of a product is the product of two entries; of a convolution, a dot product.
  const double factor = options_.compose == Composition::convolution
                            ? std::sqrt(static_cast<double>(options_.dim))
                            : 1;
  double product = 1, sum = 0;
  for (const Plan::Child& child : plan.children_of(step)) {
    double most = 1;
    if (child.step != none) {
      const Plan::Step& below = plan.steps[child.step];
      if (!below.signs && (exponents_[below.own] != 0 || exponents_[below.sum] != 0)) return false;
      const double own = below.signs ? 1 : static_cast<double>(largest_[below.own]);
      most = paths ? own : 1 + static_cast<double>(scale_) * own;
    }
    product *= factor * most;
    sum += factor * most;
  }
  return (paths ? sum : product) < 0x1p100;
}

void Evaluator::evaluate_scaled(const Plan& plan, const Plan::Step& step, const Slice& slice) {
  const auto children = plan.children_of(step);
  const auto operand = [&](const Plan::Child& child, ScaledVector& out) {
    out.clear(slice.size);
    if (child.step == none || options_.fragments == DistributedFragments::subset_trees) {
      add_label(child.label, slice, out);
    }
    add_own(plan, child, slice, out);
    out.rescale();
  };
  operand(children.back(), right_);
  for (std::size_t i = children.size() - 1; i-- > 0;) {
    operand(children[i], left_);
    compose_scaled(left_, right_, slice, composed_);
    std::swap(composed_, right_);
  }
  left_.clear(slice.size);
  add_label(step.label, slice, left_);
  compose_scaled(left_, right_, slice, composed_);
  // Before s(n) is stored: its slot may be that of the sum.
  right_ = composed_;
  for (const Plan::Child& child : children) add_total(plan, child, slice, right_);
  store(composed_, step.own);
  if (step.sum != step.own) store(right_, step.sum);
}

void Evaluator::evaluate_scaled_paths(const Plan& plan, const Plan::Step& step,
                                      const Slice& slice) {
  const auto children = plan.children_of(step);
  right_.clear(slice.size);
  for (const Plan::Child& child : children) {
    if (child.step == none) {
      add_label(child.label, slice, right_);
    } else {
      const Plan::Step& below = plan.steps[child.step];
      right_.add(std::span<const float>(slot(below.own), slice.size), 1, exponents_[below.own]);
    }
  }
  right_.rescale();
  left_.clear(slice.size);
  add_label(step.label, slice, left_);
  compose_scaled(left_, right_, slice, composed_);
  if (composed_.exponent != ScaledVector::zero) {
    left_.add(std::span<const double>(composed_.values), static_cast<double>(scale_),
              composed_.exponent);
  }
  right_ = left_;
  for (const Plan::Child& child : children) add_total(plan, child, slice, right_);
  store(left_, step.own);
  store(right_, step.sum);
}

void Evaluator::compose_scaled(const ScaledVector& left, const ScaledVector& right,
                               const Slice& slice, ScaledVector& out) {
  out.clear(slice.size);
  if (left.exponent == ScaledVector::zero || right.exponent == ScaledVector::zero) return;
  composer_->compose(left.values, right.values, slice, out.values);
  out.exponent = left.exponent + right.exponent;
  out.rescale();
}

void Evaluator::add_label(std::uint32_t label, const Slice& slice, ScaledVector& to) {
  to.add(std::span(labels_.entries(label, slice, entries_.data()), slice.size), 1, 0);
}

/// sqrt(decay) s(n) of a child; nothing for a leaf.
void Evaluator::add_own(const Plan& plan, const Plan::Child& child, const Slice& slice,
                        ScaledVector& to) {
  if (child.step == none) return;
  const Plan::Step& step = plan.steps[child.step];
  const auto scale = static_cast<double>(scale_);
  if (!step.signs) {
    to.add(std::span<const float>(slot(step.own), slice.size), scale, exponents_[step.own]);
    return;
  }
  expand_signs(sign_slot(step.own), slice.size, entries_.data());
  to.add(std::span<const float>(entries_), scale, 0);
}

/// The sum over the subtree of a child.
void Evaluator::add_total(const Plan& plan, const Plan::Child& child, const Slice& slice,
                          ScaledVector& to) {
  if (child.step == none) {
    if (options_.fragments == DistributedFragments::subpaths) add_label(child.label, slice, to);
    return;
  }
  const Plan::Step& step = plan.steps[child.step];
  if (!step.signs) {
    to.add(std::span<const float>(slot(step.sum), slice.size), 1, exponents_[step.sum]);
    return;
  }
  expand_signs(sign_slot(step.own), slice.size, entries_.data());
  to.add(std::span<const float>(entries_), 1, 0);
}

void Evaluator::store(ScaledVector& from, std::uint32_t to) {
  float* const out = slot(to);
  std::fill_n(out + from.values.size(), stride_ - from.values.size(), 0.0F);
  exponents_[to] = from.store(out);
  largest_[to] = static_cast<float>(from.largest());
}

}  // namespace espalier::distributed
