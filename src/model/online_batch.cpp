#include "model/online_batch.hpp"

#include <cmath>
#include <numeric>

#include "espalier/gram/gram.hpp"

namespace espalier {

namespace {

double length(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

}  // namespace

OnlineBatch::OnlineBatch(Model& model, const OnlineExamples& examples, Matrix<double> scores,
                         const Context& context)
    : model_(model),
      state_(std::get<OnlineState>(model.kind)),
      examples_(examples),
      context_(context),
      data_(examples.select()),
      kernels_(gram<double>(model.functions.kernel(), data_, context)),
      coefficients_(scores.columns(), scores.rows()),
      scores_(std::move(scores)) {
  std::fill_n(coefficients_.data(), coefficients_.rows() * coefficients_.columns(), 0.0);
}

void OnlineBatch::learn() {
  for (std::size_t t = 0; t < data_.size(); ++t) {
    const double self = kernels_(t, t);
    const auto updates =
        model_.task() == Task::regression
            ? update_number(scores_(t, 0), examples_.targets.numbers[examples_.order[t]],
                            state_.epsilon, self, state_.options)
            : update_classes(scores_.row(t), examples_.targets.classes[examples_.order[t]], self,
                             state_.options);
    for (const OnlineUpdate& update : updates) apply(t, update);
    model_.training.iterations += updates.empty() ? 0 : 1;
    if (!updates.empty() && state_.budget > 0) keep_to_budget(t);
  }
}

void OnlineBatch::apply(std::size_t t, const OnlineUpdate& update) {
  coefficients_(update.output, t) += update.coefficient;
  for (std::size_t later = t + 1; later < data_.size(); ++later) {
    scores_(later, update.output) += update.coefficient * kernels_(t, later);
  }
}

/// Drops the support vector with the smallest norm, from the state or from this batch up to t.
void OnlineBatch::keep_to_budget(std::size_t t) {
  std::size_t count = 0;
  double shortest = 0;
  std::size_t which = none;
  const auto consider = [&](std::size_t number, double size) {
    if (size == 0) return;
    ++count;
    if (which == none || size < shortest) {
      which = number;
      shortest = size;
    }
  };
  for (std::size_t s = 0; s < state_.support_vectors.size(); ++s) {
    consider(s, state_.lengths[s] * length(state_.coefficients[s]));
  }
  for (std::size_t s = 0; s <= t; ++s) {
    consider(state_.support_vectors.size() + s, std::sqrt(kernels_(s, s)) * length(column(s)));
  }
  if (count <= state_.budget) return;
  which < state_.support_vectors.size() ? drop_old(which, t)
                                        : drop_new(which - state_.support_vectors.size(), t);
}

void OnlineBatch::drop_new(std::size_t s, std::size_t t) {
  for (std::uint32_t o = 0; o < coefficients_.rows(); ++o) {
    const double coefficient = std::exchange(coefficients_(o, s), 0);
    for (std::size_t later = t + 1; later < data_.size(); ++later) {
      scores_(later, o) -= coefficient * kernels_(s, later);
    }
  }
}

void OnlineBatch::drop_old(std::size_t s, std::size_t t) {
  const std::uint32_t dropped[] = {static_cast<std::uint32_t>(s)};
  const Dataset one = state_.support_vectors.select(dropped);
  const Matrix<double> row = gram<double>(model_.functions.kernel(), one, data_, context_);
  for (std::size_t o = 0; o < coefficients_.rows(); ++o) {
    const double coefficient = std::exchange(state_.coefficients[s][o], 0);
    for (std::size_t later = t + 1; later < data_.size(); ++later) {
      scores_(later, o) -= coefficient * row(0, later);
    }
  }
}

void OnlineBatch::commit() {
  OnlineState kept{state_.options, state_.epsilon, state_.budget, data_.select({}), {}, {}};
  const auto keep = [&](Example example, std::vector<double> coefficients, double size) {
    if (length(coefficients) == 0) return;
    kept.support_vectors.add(kernel_input(std::move(example)));
    kept.coefficients.push_back(std::move(coefficients));
    kept.lengths.push_back(size);
  };
  for (std::size_t s = 0; s < state_.support_vectors.size(); ++s) {
    keep(state_.support_vectors.example(s), state_.coefficients[s], state_.lengths[s]);
  }
  for (std::size_t t = 0; t < data_.size(); ++t) {
    keep(data_.example(t), column(t), std::sqrt(kernels_(t, t)));
  }
  state_ = std::move(kept);
  Matrix<double> coefficients(coefficients_.rows(), state_.support_vectors.size());
  for (std::size_t s = 0; s < state_.support_vectors.size(); ++s) {
    for (std::size_t o = 0; o < coefficients_.rows(); ++o)
      coefficients(o, s) = state_.coefficients[s][o];
  }
  KernelFunctions functions(model_.functions.kernel());
  functions.add(state_.support_vectors, coefficients, context_);
  model_.functions = std::move(functions);
  model_.training.support_vectors = state_.support_vectors.size();
}

std::vector<double> OnlineBatch::column(std::size_t t) const {
  std::vector<double> out;
  for (std::size_t o = 0; o < coefficients_.rows(); ++o) out.push_back(coefficients_(o, t));
  return out;
}

}  // namespace espalier
