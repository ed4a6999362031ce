#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "espalier/base/error.hpp"
#include "espalier/base/random.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

namespace {

/// One group: its examples, and how many it has of each class.
struct Group {
  std::vector<std::uint32_t> examples;
  std::vector<std::pair<std::uint32_t, double>> counts;  ///< by class
};

std::size_t group_size(const Group& group) { return group.examples.size(); }

/// Classes are numbered by first occurrence: their own numbers are arbitrary and may be sparse.
struct GroupedExamples {
  std::vector<Group> groups;  ///< in order of first occurrence
  std::vector<double> class_sizes;
  std::size_t examples = 0;

  GroupedExamples(std::span<const std::uint32_t> classes, std::span<const std::uint32_t> numbers)
      : examples(classes.size()) {
    if (numbers.size() != examples) {
      throw Error("there are groups for " + std::to_string(numbers.size()) + " examples, but " +
                  std::to_string(examples) + " examples");
    }
    std::unordered_map<std::uint32_t, std::size_t> group_places;
    std::unordered_map<std::uint32_t, std::uint32_t> class_places;
    for (std::uint32_t i = 0; i < examples; ++i) {
      const auto next_class = static_cast<std::uint32_t>(class_sizes.size());
      const std::uint32_t c = class_places.try_emplace(classes[i], next_class).first->second;
      if (c == next_class) class_sizes.push_back(0);
      ++class_sizes[c];
      const std::size_t g = group_places.try_emplace(numbers[i], groups.size()).first->second;
      if (g == groups.size()) groups.emplace_back();
      groups[g].examples.push_back(i);
      auto& counts = groups[g].counts;
      const auto found = std::ranges::find(counts, c, &std::pair<std::uint32_t, double>::first);
      if (found == counts.end()) {
        counts.emplace_back(c, 1);
      } else {
        ++found->second;
      }
    }
    if (groups.size() < 2) {
      throw Error("all examples are in one group: there is none to test that was not learned from");
    }
  }
};

/// Assigns groups to parts with given fractions of the data.
class PartAssignment {
 public:
  PartAssignment(const GroupedExamples& data, std::vector<double> fractions)
      : data_(data),
        fractions_(std::move(fractions)),
        sizes_(fractions_.size(), 0),
        counts_(fractions_.size(), std::vector<double>(data.class_sizes.size(), 0)),
        part_of_(data.examples) {}

  /// To the part for which the sum over classes and parts of (count / class size)^2 / fraction
  /// grows least: that sum is least when each part has its fraction of each class.
  void assign(const Group& group) {
    const auto size = static_cast<double>(group.examples.size());
    const auto all = static_cast<double>(data_.examples);
    std::size_t best = 0;
    double best_growth = 0;
    for (std::size_t p = 0; p < fractions_.size(); ++p) {
      double growth = size * (2 * sizes_[p] + size) / (all * all);
      for (const auto& [c, count] : group.counts) {
        growth +=
            count * (2 * counts_[p][c] + count) / (data_.class_sizes[c] * data_.class_sizes[c]);
      }
      growth /= fractions_[p];
      if (p > 0 && growth >= best_growth) continue;
      best = p;
      best_growth = growth;
    }
    sizes_[best] += size;
    for (const auto& [c, count] : group.counts) counts_[best][c] += count;
    put(group, best);
  }
  void put(const Group& group, std::size_t part) {
    for (const std::uint32_t i : group.examples) part_of_[i] = part;
  }
  bool is_empty(std::size_t part) const { return sizes_[part] == 0; }

  /// The split that tests a part.
  Split testing(std::size_t part) const {
    Split out;
    for (std::uint32_t i = 0; i < part_of_.size(); ++i) {
      (part_of_[i] == part ? out.test : out.train).push_back(i);
    }
    return out;
  }

 private:
  const GroupedExamples& data_;
  std::vector<double> fractions_;
  std::vector<double> sizes_;                ///< per part
  std::vector<std::vector<double>> counts_;  ///< per part and class
  std::vector<std::size_t> part_of_;         ///< per example
};

}  // namespace

std::vector<Split> stratified_group_k_fold(std::span<const std::uint32_t> classes,
                                           std::span<const std::uint32_t> groups, std::size_t folds,
                                           std::uint64_t seed) {
  GroupedExamples data(classes, groups);
  if (folds < 2 || folds > data.groups.size()) {
    throw Error("folds = " + std::to_string(folds) + " is outside [2, " +
                std::to_string(data.groups.size()) + "], the number of groups");
  }
  Random random(seed);
  random.shuffle(std::span(data.groups));
  std::ranges::stable_sort(data.groups, std::greater<>(), group_size);
  PartAssignment parts(data, std::vector<double>(folds, 1));
  for (const Group& group : data.groups) parts.assign(group);
  std::vector<Split> out;
  for (std::size_t fold = 0; fold < folds; ++fold) out.push_back(parts.testing(fold));
  return out;
}

std::vector<Split> random_group_splits(std::span<const std::uint32_t> classes,
                                       std::span<const std::uint32_t> groups,
                                       const RandomSplitOptions& options) {
  check_parameters(options);
  GroupedExamples data(classes, groups);
  Random random(options.seed);
  std::vector<Split> out;
  for (std::size_t repetition = 0; repetition < options.repeats; ++repetition) {
    random.shuffle(std::span(data.groups));
    PartAssignment parts(data, {options.train_fraction, 1 - options.train_fraction});
    for (const Group& group : data.groups) parts.assign(group);
    for (const std::size_t part : {0U, 1U}) {
      if (parts.is_empty(part)) parts.put(std::ranges::min(data.groups, {}, group_size), part);
    }
    out.push_back(parts.testing(1));
  }
  return out;
}

std::vector<Split> leave_one_group_out(std::span<const std::uint32_t> groups) {
  const GroupedExamples data(std::vector<std::uint32_t>(groups.size()), groups);
  std::vector<Split> out;
  for (const Group& group : data.groups) {
    Split& split = out.emplace_back();
    split.test = group.examples;
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
      if (groups[i] != groups[split.test[0]]) split.train.push_back(i);
    }
  }
  return out;
}

}  // namespace espalier
