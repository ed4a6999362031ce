#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/small_trees.hpp"
#include "support/temp_dir.hpp"

namespace espalier::test {

/// The vectors of the words in random_word_trees(); "lone::n" has none.
inline const std::map<std::string, std::vector<double>>& word_vectors() {
  static const std::map<std::string, std::vector<double>> all = {{"cat::n", {1, 2, -1, 0.5}},
                                                                 {"dog::n", {1, 1.5, -0.5, 1}},
                                                                 {"car::n", {-1, 1, 2, 0}},
                                                                 {"run::v", {0.25, -1, 1, 3}},
                                                                 {"walk::v", {0.5, -1, 0.5, 2}}};
  return all;
}

/// As GloVe writes them.
inline std::string vector_file(const TempDir& folder, const std::string& name = "words.txt") {
  std::string text;
  for (const auto& [word, vector] : word_vectors()) {
    text += word;
    for (const double x : vector) text += " " + std::to_string(x);
    text += "\n";
  }
  return folder.file(name, text);
}

/// Trees of words, parts of speech and relations with heads and modifiers, at any place.
inline std::vector<MaybeTree> random_word_trees(Random& random, std::size_t count,
                                                std::size_t most) {
  static const std::vector<std::string> labels = {"LEX##cat::n",
                                                  "LEX##dog::n",
                                                  "LEX##car::n",
                                                  "LEX##run::v",
                                                  "LEX##walk::v",
                                                  "LEX##lone::n",
                                                  "POS##NN",
                                                  "COMP##nsubj<run::v,cat::n>",
                                                  "COMP##nsubj<walk::v,dog::n>",
                                                  "COMP##dobj<walk::v,car::n>",
                                                  "COMP##dobj<run::v,lone::n>",
                                                  "COMP##root<*::*,run::v>"};
  const std::size_t used = 4 + random.below(labels.size() - 3);
  std::vector<MaybeTree> out(count);
  const auto rename = [&](auto& self, PlainTree& tree) -> void {
    tree.label = labels[random.below(used)];
    for (PlainTree& child : tree.children) self(self, child);
  };
  for (MaybeTree& tree : out) {
    if (random.one_in(30)) continue;
    tree = random_shape(random, 1 + random.below(most), 1);
    rename(rename, *tree);
  }
  return out;
}

}  // namespace espalier::test
