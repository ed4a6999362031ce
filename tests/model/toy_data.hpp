#pragma once

#include <string>
#include <utility>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "espalier/model/train.hpp"
#include "support/examples.hpp"
#include "support/small_trees.hpp"

namespace espalier::test {

/// A kernel on a tree and a vector of the examples below.
inline const char* const usual = "norm(sst(t)) + norm(linear(v))";

/// What the examples of toy_data() are like.
struct Toy {
  std::size_t count = 40;
  std::uint32_t seed = 1;
  std::size_t kinds = 3;  ///< kinds of examples: k0, k1, ..
  bool pairs = false;     ///< whether the examples have members as well
};

/// An example of a kind, without labels: trees "t" and "u", vectors "v" (sparse) and "d" (dense).
/// Most of it is noise; "t" and both vectors show the kind.
inline Example toy_example(Random& random, std::size_t kind, bool pair) {
  const auto noise = [&] { return static_cast<double>(random.below(65)) / 64; };
  const std::string name = "k" + std::to_string(kind);
  const PlainTree shape = random_shape(random, 1 + random.below(12), 3);
  ExampleOf out;
  out.tree("t", to_tree(PlainTree{"r", {PlainTree{name, {PlainTree{"z", {}}}}, shape}}));
  out.tree("u", to_tree(random_shape(random, 1 + random.below(12), 3)));
  out.vector("v", sparse({{name, 1 + noise()}, {"x", noise()}, {"y", noise() - 1}}));
  out.vector("d", dense({noise(), static_cast<double>(kind) + noise() / 2, noise()}));
  if (pair) out.pair(toy_example(random, kind, false), toy_example(random, kind, false));
  return out;
}

/// The kinds come in a random order, so that each half of the data has all of them. label(kind,
/// random) gives the labels of an example.
template <class MakeLabels>
Dataset toy_data(const Toy& toy, MakeLabels&& labels) {
  Random random(toy.seed);
  Dataset out;
  for (std::size_t i = 0; i < toy.count; ++i) {
    const std::size_t kind = random.below(toy.kinds);
    Example example = toy_example(random, kind, toy.pairs);
    example.labels = labels(kind, random);
    out.add(example);
  }
  return out;
}

/// Labelled by the names of the kinds; one in `wrong` has a random name instead.
inline Dataset toy_classes(const Toy& toy, std::size_t wrong = 10) {
  return toy_data(toy, [&](std::size_t kind, Random& random) {
    const std::size_t shown = random.one_in(wrong) ? random.below(toy.kinds) : kind;
    return std::vector{of_class("k" + std::to_string(shown))};
  });
}

/// Labelled by numbers near the number of the kind.
inline Dataset toy_numbers(const Toy& toy) {
  return toy_data(toy, [](std::size_t kind, Random& random) {
    const double noise = static_cast<double>(random.below(65)) / 128;
    return std::vector{number(static_cast<double>(kind) + noise + 0.125)};
  });
}

/// The kinds are two bits: one label for each that is set, so that some have several or none.
inline Dataset toy_several(Toy toy) {
  toy.kinds = 4;
  return toy_data(toy, [](std::size_t kind, Random&) {
    std::vector<Label> out;
    if ((kind & 1) != 0) out.push_back(of_class("one"));
    if ((kind & 2) != 0) out.push_back(of_class("two"));
    return out;
  });
}

inline Dataset part_of(const Dataset& data, std::size_t begin, std::size_t end) {
  Dataset out;
  for (std::size_t i = begin; i < end; ++i) out.add(data.example(i));
  return out;
}

/// Accuracy: the fraction of examples whose predicted classes are their labels.
inline double accuracy(const Model& model, const Dataset& data) {
  const Targets targets = make_targets(data, Task::classification, model.classes());
  const Predictions predictions = predict(model, data);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::vector<std::uint32_t> truth(targets.classes[i].begin(), targets.classes[i].end());
    std::ranges::sort(truth);
    right += predictions.classes[i] == truth ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(data.size());
}

}  // namespace espalier::test
