#include "espalier/evaluate/splits.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "espalier/base/error.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/base/number.hpp"
#include "espalier/base/random.hpp"

namespace espalier {

namespace {

using Examples = std::vector<std::uint32_t>;

/// The examples of each class, in order of first occurrence, since class numbers are arbitrary.
std::vector<Examples> members(std::span<const std::uint32_t> classes) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::vector<Examples> out;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const std::size_t place = places.try_emplace(classes[i], out.size()).first->second;
    if (place == out.size()) out.emplace_back();
    out[place].push_back(i);
  }
  return out;
}

/// All examples, grouped by class, otherwise shuffled. An even fraction along this order is an even
/// fraction of every class.
Examples stratified_order(std::vector<Examples> members, Random& random) {
  random.shuffle(std::span(members));
  Examples out;
  for (Examples& same : members) {
    random.shuffle(std::span(same));
    out.insert(out.end(), same.begin(), same.end());
  }
  return out;
}

/// The split that tests the examples for which `is_test` holds.
template <class IsTest>
Split split_by(std::size_t examples, IsTest is_test) {
  Split out;
  for (std::uint32_t i = 0; i < examples; ++i) (is_test(i) ? out.test : out.train).push_back(i);
  return out;
}

void check_examples(std::size_t examples) {
  if (examples >= 2) return;
  throw Error("learning and testing need at least 2 examples, but there " +
              (examples == 1 ? std::string("is 1") : "are " + std::to_string(examples)) +
              ": add data");
}

void check_folds(std::size_t examples, std::size_t folds) {
  check_examples(examples);
  if (folds < 2) {
    throw Error("folds = " + std::to_string(folds) +
                " leaves nothing to learn from: use 2 or more");
  }
  if (folds > examples) {
    throw Error("folds = " + std::to_string(folds) + " is more than the " +
                std::to_string(examples) + " examples: use " + std::to_string(examples) +
                " or fewer");
  }
}

/// Assigns the examples to folds round-robin.
std::vector<Split> deal(const Examples& order, std::size_t folds) {
  std::vector<std::size_t> fold_of(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold_of[order[i]] = i % folds;
  std::vector<Split> out;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    out.push_back(split_by(order.size(), [&](std::uint32_t i) { return fold_of[i] == fold; }));
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> rarest_classes(const ClassLists& classes) {
  const std::vector<std::size_t> sizes = classes.class_sizes();
  std::vector<std::uint32_t> met(sizes.size(), none);  // number of classes seen before
  std::uint32_t known = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (const std::uint32_t c : classes[i]) {
      if (met[c] == none) met[c] = known++;
    }
  }
  const auto rarity = [&](std::uint32_t c) { return std::pair(sizes[c], met[c]); };
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto list = classes[i];
    out.push_back(list.empty() ? none : *std::ranges::min_element(list, {}, rarity));
  }
  return out;
}

std::vector<Split> k_fold(std::size_t examples, std::size_t folds, std::uint64_t seed) {
  return stratified_k_fold(std::vector<std::uint32_t>(examples), folds, seed);
}

std::vector<Split> stratified_k_fold(std::span<const std::uint32_t> classes, std::size_t folds,
                                     std::uint64_t seed) {
  check_folds(classes.size(), folds);
  Random random(seed);
  return deal(stratified_order(members(classes), random), folds);
}

std::vector<Split> random_splits(std::span<const std::uint32_t> classes,
                                 const RandomSplitOptions& options) {
  check_parameters(options);
  check_examples(classes.size());
  const std::uint64_t all = classes.size();
  const double share = std::round(options.train_fraction * static_cast<double>(all));
  const auto train = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share), 1, all - 1);
  const std::vector<Examples> by_class = members(classes);
  Random random(options.seed);
  std::vector<Split> out;
  for (std::size_t repetition = 0; repetition < options.repeats; ++repetition) {
    const Examples order = stratified_order(by_class, random);
    std::vector<bool> is_test(order.size());
    // Steps of train / all from a random start: one in all / train steps crosses an integer.
    const std::uint64_t start = random.below(all);
    for (std::uint64_t i = 0; i < all; ++i) {
      is_test[order[i]] = (start + i * train) / all == (start + (i + 1) * train) / all;
    }
    out.push_back(split_by(order.size(), [&](std::uint32_t i) { return is_test[i]; }));
  }
  return out;
}

std::vector<Split> leave_one_out(std::size_t examples) {
  check_examples(examples);
  std::vector<Split> out;
  for (std::uint32_t left = 0; left < examples; ++left) {
    out.push_back(split_by(examples, [&](std::uint32_t i) { return i == left; }));
  }
  return out;
}

}  // namespace espalier
