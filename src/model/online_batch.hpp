#pragma once

#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/model/model.hpp"
#include "model/learner.hpp"

namespace espalier {

/// What an online learner learns from: examples of a data set, in this order.
struct OnlineExamples {
  const Dataset& data;
  const Targets& targets;
  std::span<const std::uint32_t> order;

  OnlineExamples part(std::size_t begin, std::size_t end) const {
    return {data, targets, order.subspan(begin, end - begin)};
  }
  Dataset select() const { return data.select(order); }
};

/// Some examples, from which is learned one by one. The scores are those of the functions before
/// the batch; updates within it are added from the kernels of its examples.
class OnlineBatch {
 public:
  /// scores(t, o): f_o of the t-th example.
  OnlineBatch(Model& model, const OnlineExamples& examples, Matrix<double> scores,
              const Context& context);

  void learn();

  const Dataset& data() const { return data_; }
  /// Per output and example.
  const Matrix<double>& coefficients() const { return coefficients_; }
  /// With a budget: adds what was learned to the model.
  void commit();

 private:
  void apply(std::size_t t, const OnlineUpdate& update);
  void keep_to_budget(std::size_t t);
  void drop_new(std::size_t s, std::size_t t);
  void drop_old(std::size_t s, std::size_t t);
  std::vector<double> column(std::size_t t) const;

  Model& model_;
  OnlineState& state_;
  OnlineExamples examples_;
  const Context& context_;
  Dataset data_;
  Matrix<double> kernels_;
  Matrix<double> coefficients_;
  Matrix<double> scores_;
};

}  // namespace espalier
