// The smoothed kernels on 5,452 questions with GloVe vectors: our engine beside the tree-by-tree
// algorithm, in one run. Needs ../shared, or the folder $ESPALIER_SHARED.
//
//     espalier_smoothed [LIMIT IN SECONDS for one run of the baseline, 60 by itself]
//
// Three rounds, both algorithms in each; the shortest time of each counts.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "baseline/smoothed_pairs.hpp"
#include "baseline/tiles.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/model/word_vectors.hpp"
#include "stopwatch.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

Dataset as_data(std::span<const Tree> trees) {
  Dataset data;
  for (const Tree& tree : trees) {
    Example example;
    example.trees.push_back({"t", tree});
    data.add(example);
  }
  return data;
}

/// Our engine. The vectors are looked up before, and so are those of the baseline.
class Ours {
 public:
  Ours(const std::string& expression, Dataset data)
      : data_(std::move(data)),
        kernel_(load_word_vectors(Kernel(expression), {&data_})),
        values_(data_.size(), data_.size()) {
    std::fill_n(values_.data(), data_.size() * data_.size(), 0.0);
  }
  void measure() {
    one_ = shorter(one_, run(1));
    two_ = shorter(two_, run(2));
  }
  const Time& one() const { return one_; }
  double gain_of_two() const { return one_.wall / two_.wall; }
  const Matrix<double>& values() const { return values_; }

 private:
  Time run(std::size_t threads) {
    Context context;
    context.threads = threads;
    double* const values = values_.data();
    return time_of([&] {
      gram_into<double>({&kernel_, 1}, data_, nullptr, {&values, 1}, context);
    });
  }

  Dataset data_;
  FittedKernel kernel_;
  Matrix<double> values_;
  Time one_{never, never};
  Time two_{never, never};
};

constexpr int rounds = 3;

void compare(double limit) {
  const std::string questions = test::shared_data("qc_kelp_train.klp.gz");
  const std::string vectors = test::shared_data("glove.6B.100d.subset.txt.gz");
  fmt::print("Seconds of one processor. paper: tree by tree, 64 x 64 trees at a time.\n");
  fmt::print("{:<6} {:<42} {:>9} {:>8} {:>8} {:>9} {:>9}\n", "trees", "kernel", "paper", "ours",
             "x paper", "2 threads", "rel.diff");
  for (const double threshold : {0.01, 0.5}) {
    for (const char* const name : {"lct", "grct"}) {
      const std::vector<Tree> trees = read_trees(questions, name);
      const std::string kernel = fmt::format("spt(terminal=0.2, threshold={})", threshold);
      const std::string with_file =
          fmt::format("spt(terminal=0.2, threshold={}, vectors=\"{}\")", threshold, vectors);
      Ours ours(with_file, as_data(trees));
      const baseline::KeyedTrees keyed(trees);
      const baseline::SimilarityTable table(keyed.label_table(), vectors, threshold);
      PartialTreeOptions options;
      options.terminal = 0.2;
      baseline::PaperSmoothedTrees pairs(keyed, table, options);
      Matrix<double> values(trees.size(), trees.size());
      std::fill_n(values.data(), trees.size() * trees.size(), -1.0);
      const double all = static_cast<double>(trees.size() * (trees.size() + 1) / 2);
      const auto run = [&](std::size_t every) {
        std::size_t done = 0;
        const Time time = time_of([&] { done = baseline::tiled_gram(pairs, values, every); });
        return time.processor * all / static_cast<double>(done);
      };
      const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(run(50) / limit + 1));
      double seconds = never;
      for (int round = 0; round < rounds; ++round) {
        ours.measure();
        seconds = std::min(seconds, run(every));
        ours.measure();
      }
      double error = 0;
      for (std::size_t at = 0; at < trees.size() * trees.size(); ++at) {
        const double a = values.data()[at], b = ours.values().data()[at];
        if (a >= 0) error = std::max(error, std::abs(a - b) / std::max(a, b));
      }
      fmt::print("{:<6} {:<42} {:>9.2f} {:>8.2f} {:>7.1f}x {:>8.2f}x {:>9.0e}\n", name, kernel,
                 seconds, ours.one().processor, seconds / ours.one().processor, ours.gain_of_two(),
                 error);
      std::fflush(stdout);
    }
  }
  for (const char* const name : {"clct", "cgrct"}) {
    Ours ours(fmt::format("cspt(terminal=0.2, vectors=\"{}\")", vectors),
              as_data(read_trees(questions, name)));
    for (int round = 0; round < rounds; ++round) ours.measure();
    fmt::print("{:<6} {:<42} {:>9} {:>8.2f} {:>8} {:>8.2f}x\n", name, "cspt(terminal=0.2)", "",
               ours.one().processor, "", ours.gain_of_two());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace espalier::bench

int main(int count, char** arguments) {
  if (!espalier::bench::has_real_trees()) {
    fmt::print("There are no real trees here: nothing to measure.\n");
    return 0;
  }
  espalier::bench::compare(count > 1 ? std::atof(arguments[1]) : 60);
}
