#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "espalier/model/tune.hpp"

namespace espalier {

struct CurveOptions {
  std::vector<std::size_t> sizes = {};
  ValidationOptions validation = {.folds = 5};

  static void describe(auto& self, auto&& field) {
    field("sizes", self.sizes,
          "numbers of examples to train on; none: five, each half of the next, up to all",
          {.range = {1, 0x1p53}, .common = true});
  }
};

/// A kernel trained on part of the data.
struct CurvePoint {
  std::string kernel;
  std::uint64_t size = 0;  ///< of the training set
  Spread score;            ///< the metric over the splits
  std::optional<Interval> interval;
  /// Of training and prediction, over the splits; without what all sizes share, such as the Gram
  /// matrix.
  Spread seconds;

  void fields(auto&& field) const {
    field("kernel", kernel);
    field("size", size);
    field("score", score);
    field("interval", interval);
    field("seconds", seconds);
  }
};

/// Learning curves: trains on parts of increasing size of the training set of each split, and tests
/// on the test part. A part contains the smaller ones and has about the same fraction of each
/// class. Calls `finished` after each point; returns all of them, ordered by kernel, then size.
/// Throws Error if a size is more than a split has to train on.
std::vector<CurvePoint> learning_curve(std::span<const FittedKernel> kernels, const Dataset& data,
                                       const TrainOptions& options, const CurveOptions& curve,
                                       const std::string& metric = "", const Context& context = {},
                                       const std::function<void(const CurvePoint&)>& finished = {});

}  // namespace espalier
