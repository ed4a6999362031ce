#pragma once

// The trees that the benchmarks run on: real ones, where ../shared is present, and made-up ones.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "espalier/io/format.hpp"
#include "support/archive.hpp"
#include "support/shared_data.hpp"

namespace espalier::bench {

/// The tree of each example that has a tree of that name; "" for examples with one tree. Takes
/// every `step`-th example.
inline std::vector<Tree> read_trees(const std::string& path, const std::string& name = "",
                                    std::size_t step = 1) {
  std::vector<Tree> out;
  const auto reader = open_reader(path);
  std::size_t number = 0;
  for (Example example; reader->next(example);) {
    if (number++ % step != 0) continue;
    for (auto& [tree_name, tree] : example.trees) {
      if (name.empty() || tree_name == name) out.push_back(std::move(tree));
    }
  }
  return out;
}

/// Questions as dependency trees, 5,452 of 24 nodes on average.
inline std::vector<Tree> question_dependencies() {
  return read_trees(test::shared_data("qc_kelp_train.klp.gz"), "grct");
}

/// The same questions as constituency trees, of 30 nodes; or the 500 of part "test".
inline std::vector<Tree> question_constituents(const std::string& part = "train") {
  const auto path = std::filesystem::temp_directory_path() / "espalier_bench.penn";
  std::ofstream(path) << test::file_in_archive(
      test::shared_data("qc_constituency_stanford.tar.gz"),
      "question_classification_" + part + "_sents_parsed.txt");
  std::vector<Tree> out = read_trees(path.string());
  std::filesystem::remove(path);
  return out;
}

/// Syntax trees of C programs, of 445 nodes on average: every `step`-th of 38,999.
inline std::vector<Tree> programs(std::size_t step) {
  return read_trees(test::shared_data("poj104.train.sexpr.gz"), "", step);
}

inline bool has_real_trees() { return std::filesystem::exists(test::shared_data("README.md")); }

/// Up to `count` of the trees whose size differs from `size` by at most a tenth, spread evenly.
inline std::vector<Tree> of_size(std::span<const Tree> trees, std::size_t size, std::size_t count) {
  std::vector<const Tree*> fitting;
  for (const Tree& tree : trees) {
    if (10 * tree.size() >= 9 * size && 10 * tree.size() <= 11 * size) fitting.push_back(&tree);
  }
  std::vector<Tree> out;
  const std::size_t wanted = std::min(count, fitting.size());
  for (std::size_t i = 0; i < wanted; ++i) out.push_back(*fitting[i * fitting.size() / wanted]);
  return out;
}

/// Trees like those of sentences: phrases over parts of speech over words, few of the words
/// frequent. The same ones for the same seed.
class SentenceTrees {
 public:
  explicit SentenceTrees(std::uint32_t seed) : engine_(seed) {}

  /// A tree of about `size` nodes.
  Tree next(std::size_t size) {
    Tree tree;
    TreeBuilder builder;
    builder.start(tree);
    phrase(builder, size);
    return tree;
  }

 private:
  void phrase(TreeBuilder& builder, std::size_t size) {
    builder.open("P" + std::to_string(rare(20)));
    std::size_t left = size - std::min<std::size_t>(size, 1);
    do {
      // A word with its part of speech, or a smaller phrase.
      if (left < 6 || engine_() % 2 == 0) {
        builder.open("T" + std::to_string(rare(30)));
        builder.leaf("w" + std::to_string(rare(5000)));
        builder.close();
        left -= std::min<std::size_t>(left, 2);
      } else {
        const std::size_t part = 3 + engine_() % (left - 3);
        phrase(builder, part);
        left -= std::min(left, part);
      }
    } while (left >= 2);
    builder.close();
  }

  /// A number below `below`; the probability of k falls with 1/(k+1).
  std::uint32_t rare(std::uint32_t below) {
    const double share = static_cast<double>(engine_()) / 4294967296.0;
    return static_cast<std::uint32_t>(std::pow(below, share) - 1);
  }

  std::mt19937 engine_;
};

inline std::vector<Tree> sentences(std::size_t count, std::size_t size) {
  SentenceTrees source(1);
  std::vector<Tree> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(source.next(size));
  return out;
}

}  // namespace espalier::bench
