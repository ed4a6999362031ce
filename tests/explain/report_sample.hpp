#pragma once

#include "espalier/data/dataset.hpp"
#include "espalier/explain/report.hpp"
#include "support/examples.hpp"

namespace espalier::test {

/// Random trees whose labels lean towards their class.
inline Dataset random_examples(std::size_t classes, std::size_t count) {
  Random random(7);
  Dataset data;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t of = i % classes;
    const auto label = [&] {
      return random.one_in(3) ? "k" + std::to_string(of) : "x" + std::to_string(random.below(9));
    };
    data.add(ExampleOf()
                 .label("class" + std::to_string(of))
                 .tree("tree", to_tree(random.tree(30, label))));
  }
  return data;
}

}  // namespace espalier::test
