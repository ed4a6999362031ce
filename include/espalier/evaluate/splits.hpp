#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/class_lists.hpp"

namespace espalier {

// Every function here gives the same splits for the same seed on every platform. Splits do not
// depend on how classes are numbered, only on which examples share one.

/// Which examples to learn from and which to test on, both in rising order.
struct Split {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> test;

  void fields(auto&& field) const {
    field("train", train);
    field("test", test);
  }
  friend bool operator==(const Split&, const Split&) = default;
};

/// How random_splits() divides.
struct RandomSplitOptions {
  double train_share = 0.8;  ///< between 0 and 1
  std::size_t repetitions = 10;
  std::uint64_t seed = 1;
};

/// What to stratify examples by when they have several classes or none: the rarest of their
/// classes, as the frequent ones come out even anyway; of equally rare ones the one met first. An
/// example without a class gets `none`, and these are a class like any other. Linear.
std::vector<std::uint32_t> rarest_classes(const ClassLists& classes);

/// Cross-validation that ignores classes, for numbers. Each example is tested in one of the folds;
/// their sizes differ by at most 1. Takes 4 * examples * folds bytes. Throws Error unless
/// 2 <= folds <= examples.
std::vector<Split> k_fold(std::size_t examples, std::size_t folds, std::uint64_t seed = 1);

/// Cross-validation in which each fold has its share of every class (one class per example; see
/// rarest_classes()): the counts of a class in any two folds differ by at most 1, and so do the
/// sizes of the folds. A class with fewer examples than folds is therefore tested in some folds
/// only, and a class with a single example is not learned where it is tested. Cost and errors as
/// for k_fold().
std::vector<Split> stratified_k_fold(std::span<const std::uint32_t> classes, std::size_t folds,
                                     std::uint64_t seed = 1);

/// Independent random splits. `train` holds the nearest number to its share of the examples, but
/// one at least on each side, and of every class (see rarest_classes()) the same share, rounded up
/// or down: a class with a single example is learned in some splits and tested in the others. The
/// first splits stay the same when more are asked for. Takes 4 * examples * repetitions bytes.
/// Throws Error if there are fewer than 2 examples or an option makes no sense.
std::vector<Split> random_splits(std::span<const std::uint32_t> classes,
                                 const RandomSplitOptions& options = {});

/// One split for each example, which is tested alone. Takes 4 * examples^2 bytes. Throws Error if
/// there are fewer than 2.
std::vector<Split> leave_one_out(std::size_t examples);

}  // namespace espalier
