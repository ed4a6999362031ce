#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/base/parameter.hpp"

namespace espalier {

// The same seed gives the same splits on every platform. Splits do not depend on how classes are
// numbered.

/// Training and test examples, both ascending.
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
  double train_fraction = 0.8;
  std::size_t repeats = 10;
  std::uint64_t seed = 1;

  /// Also for other options that have these members.
  static void describe(auto& self, auto&& field) {
    field("repeats", self.repeats,
          "times that cross-validation is repeated with new folds; number of random splits",
          {.range = {1, 1e6}, .users = "folds, random", .common = true});
    field("train_fraction", self.train_fraction, "fraction of the examples to train on",
          {.range = {0, 1, true, true}, .users = "random"});
  }
};

/// The class to stratify a multi-label example by: the rarest of its classes, since frequent
/// classes are balanced anyway; on ties the one that occurs first in the data. Examples without a
/// class have `none`, which is a stratum like any other. Linear.
std::vector<std::uint32_t> rarest_classes(const ClassLists& classes);

/// k-fold cross-validation without stratification, for regression. Each example is tested in one
/// fold; the sizes of the folds differ by at most 1. Takes 4 * examples * folds bytes. Throws Error
/// unless 2 <= folds <= examples.
std::vector<Split> k_fold(std::size_t examples, std::size_t folds, std::uint64_t seed = 1);

/// Stratified k-fold cross-validation (one class per example; see rarest_classes()): the counts of
/// a class in any two folds differ by at most 1, and so do the sizes of the folds. A class with
/// fewer examples than folds is tested in some folds only, and a class with a single example is
/// missing from the training part of the fold that tests it. Cost and errors as for k_fold().
std::vector<Split> stratified_k_fold(std::span<const std::uint32_t> classes, std::size_t folds,
                                     std::uint64_t seed = 1);

/// Independent stratified random splits. `train` has the given fraction of the examples, rounded;
/// both parts have at least one. Each class (see rarest_classes()) has the same fraction, rounded
/// up or down: a class with a single example is in `train` in some splits and in `test` in the
/// others. The first splits do not depend on the number of splits. Takes 4 * examples * repetitions
/// bytes. Throws Error if there are fewer than 2 examples or an option is out of range.
std::vector<Split> random_splits(std::span<const std::uint32_t> classes,
                                 const RandomSplitOptions& options = {});

// The same for examples in groups, such as answers to a question: `groups` has a number for each
// example, and no group is in both parts of a split. Groups are assigned one by one to the part
// that then has too little of its classes, so parts are stratified and of equal size only as far as
// the groups allow.

/// Each group is tested in one fold; large groups are assigned first. Takes
/// O(examples log examples + folds * (groups + classes of each group)) time. Throws Error unless
/// 2 <= folds <= number of groups.
std::vector<Split> stratified_group_k_fold(std::span<const std::uint32_t> classes,
                                           std::span<const std::uint32_t> groups, std::size_t folds,
                                           std::uint64_t seed = 1);

/// Independent random splits; `train` has the given fraction of each class as far as the groups
/// allow; both parts have at least one group. A group with more examples than a test part should
/// have is hardly ever tested. Throws Error if there are fewer than 2 groups or an option is out of
/// range.
std::vector<Split> random_group_splits(std::span<const std::uint32_t> classes,
                                       std::span<const std::uint32_t> groups,
                                       const RandomSplitOptions& options = {});

/// One split for each group, which is its test part. Throws Error if there are fewer than 2 groups.
std::vector<Split> leave_one_group_out(std::span<const std::uint32_t> groups);

/// One split for each example, the only one in its test part. Takes 4 * examples^2 bytes. Throws
/// Error if there are fewer than 2 examples.
std::vector<Split> leave_one_out(std::size_t examples);

}  // namespace espalier
