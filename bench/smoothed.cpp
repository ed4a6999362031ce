// The smoothed kernels on 5,452 questions with GloVe vectors: our engine beside the tree-by-tree
// algorithm, in one run. Needs ../shared, or the folder $ESPALIER_SHARED.
//
//     espalier_smoothed [LIMIT IN SECONDS for one run of the baseline, 60 by itself]

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "baseline/smoothed_pairs.hpp"
#include "baseline/tiles.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/gram/word_vectors.hpp"
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

struct Ours {
  Matrix<double> values;
  Time one, two;
};

/// The vectors are looked up before, and so are those of the baseline.
Ours measure(const std::string& expression, const Dataset& data) {
  const Kernel kernel = with_word_vectors(Kernel(expression), {&data});
  Ours out{Matrix<double>(data.size(), data.size()), {}, {}};
  std::fill_n(out.values.data(), data.size() * data.size(), 0.0);
  double* const values = out.values.data();
  const auto run = [&](std::size_t threads) {
    Context context;
    context.threads = threads;
    return shortest([&] { gram_into<double>({&kernel, 1}, data, nullptr, {&values, 1}, context); });
  };
  out.one = run(1);
  out.two = run(2);
  return out;
}

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
      const Ours ours = measure(with_file, as_data(trees));

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
      double seconds = run(50);
      seconds = run(std::max<std::size_t>(1, static_cast<std::size_t>(seconds / limit + 1)));
      double error = 0;
      for (std::size_t at = 0; at < trees.size() * trees.size(); ++at) {
        const double a = values.data()[at], b = ours.values.data()[at];
        if (a >= 0) error = std::max(error, std::abs(a - b) / std::max(a, b));
      }
      fmt::print("{:<6} {:<42} {:>9.2f} {:>8.2f} {:>7.1f}x {:>8.2f}x {:>9.0e}\n", name, kernel,
                 seconds, ours.one.processor, seconds / ours.one.processor,
                 ours.one.wall / ours.two.wall, error);
      std::fflush(stdout);
    }
  }
  for (const char* const name : {"clct", "cgrct"}) {
    const Ours ours = measure(fmt::format("cspt(terminal=0.2, vectors=\"{}\")", vectors),
                              as_data(read_trees(questions, name)));
    fmt::print("{:<6} {:<42} {:>9} {:>8.2f} {:>8} {:>8.2f}x\n", name, "cspt(terminal=0.2)", "",
               ours.one.processor, "", ours.one.wall / ours.two.wall);
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
