// Whole Gram matrices: our engine beside the tree-by-tree algorithm, in one run.
//
//     espalier_compare [--by-size] [--limit SECONDS] [--rounds COUNT] [WORD..]
//
// Words pick rows: those whose data set or kernel contains one of them. A row is measured in
// rounds, all algorithms in each, and shows the shortest time of each. Needs ../shared, or the
// folder $ESPALIER_SHARED, for the real trees.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "contest.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

struct Arguments {
  bool by_size = false;
  double limit = 60;  ///< seconds for one measurement of the baseline
  std::size_t rounds = 3;
  std::vector<std::string> words;

  bool wants(const std::string& row) const {
    return words.empty() || std::ranges::any_of(words, [&](const std::string& word) {
             return row.find(word) != std::string::npos;
           });
  }
};

Arguments parse(int count, char** arguments) {
  Arguments out;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--by-size") {
      out.by_size = true;
    } else if (argument == "--limit" && i + 1 < count) {
      out.limit = std::atof(arguments[++i]);
    } else if (argument == "--rounds" && i + 1 < count) {
      out.rounds = std::max(1, std::atoi(arguments[++i]));
    } else {
      out.words.push_back(argument);
    }
  }
  return out;
}

const char* const kernels[] = {"st(decay=0.5)", "sst(lambda=0.4)", "pt(lambda=0.4, mu=0.4)"};
const char* const sweeps[] = {"st(decay={0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9})",
                              "sst(lambda={0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9})",
                              "pt(lambda={0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9}, mu=0.4)"};

/// Printed at once: the next row may take minutes.
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print(format, std::forward<Values>(values)...);
  std::fflush(stdout);
}

std::string share_text(double share) {
  return share < 1 ? fmt::format("from {:.1f} % of the pairs", 100 * share) : "";
}

struct TreeSet {
  std::string name;
  std::function<std::vector<Tree>()> trees;
};

std::vector<TreeSet> tree_sets() {
  if (!has_real_trees()) {
    print("No real trees in {}: made-up ones instead.\n", test::shared_folder());
    return {{"sentences of 24", [] { return sentences(2000, 24); }},
            {"sentences of 400", [] { return sentences(200, 400); }}};
  }
  return {{"QC GRCT", question_dependencies},
          {"QC constituency", [] { return question_constituents(); }},
          {"1000 programs", [] { return programs(39); }},
          {"60 of 500 nodes", [] { return of_size(programs(3), 500, 60); }}};
}

void compare_sets(const Arguments& arguments) {
  print(
      "Seconds of one processor. paper: matched pairs with a memo, to the letter; baseline: the "
      "same\n"
      "idea made fast. Both tree by tree, 64 x 64 trees at a time. 2 threads: by the wall.\n");
  print("{:<16} {:<23} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8}  {}\n", "trees", "kernel",
        "paper", "baseline", "ours", "x paper", "x base", "2 threads", "sweep 8", "rel.diff", "");
  for (const TreeSet& set : tree_sets()) {
    if (std::ranges::none_of(kernels, [&](const std::string& kernel) {
          return arguments.wants(set.name + " " + kernel);
        })) {
      continue;
    }
    const Trees trees(set.trees());
    for (std::size_t k = 0; k < std::size(kernels); ++k) {
      if (!arguments.wants(set.name + " " + kernels[k])) continue;
      const FittedKernel kernel{Kernel(kernels[k])};
      const std::vector<FittedKernel> settings = sweep(sweeps[k]);
      const Matrix<double> values = gram(kernel, trees.data, with_threads(1));
      const Outputs outputs(trees, settings.size());
      const auto time = [&](Algorithm algorithm) {
        return time_pairs(algorithm, kernel.kernel, trees, values, arguments.limit);
      };
      const auto ours = [&](std::span<const FittedKernel> some, std::size_t threads) {
        return our_time(some, trees, outputs, threads);
      };
      // In turn, and the shortest of each: the machine is not equally fast all the time.
      BaselineTime paper, matched;
      Time one, two, eight;
      for (std::size_t round = 0; round < arguments.rounds; ++round) {
        const auto keep = [&](auto& best, const auto& now) {
          best = round == 0 ? now : shorter(best, now);
        };
        if (k > 0) keep(paper, time(Algorithm::paper));
        keep(one, ours({&kernel, 1}, 1));
        keep(matched, time(Algorithm::matched));
        keep(two, ours({&kernel, 1}, 2));
        keep(eight, ours(settings, 1));
        keep(one, shorter(one, ours({&kernel, 1}, 1)));
        keep(two, shorter(two, ours({&kernel, 1}, 2)));
      }
      print(
          "{:<16} {:<23} {:>9} {:>9.2f} {:>8.4f} {:>8} {:>7.1f}x {:>8.2f}x {:>7.2f}x {:>8.0e}  "
          "{}\n",
          set.name, kernels[k], k == 0 ? "" : fmt::format("{:.2f}", paper.seconds), matched.seconds,
          one.processor, k == 0 ? "" : fmt::format("{:.1f}x", paper.seconds / one.processor),
          matched.seconds / one.processor, one.wall / two.wall, eight.processor / one.processor,
          std::max(paper.error, matched.error), share_text(matched.share));
    }
  }
}

/// Trees of about that size: real ones if there are enough.
struct SizedTrees {
  std::string source;
  std::vector<Tree> trees;
};

std::vector<SizedTrees> trees_of_size(std::size_t size, std::span<const Tree> questions,
                                      std::span<const Tree> all_programs) {
  const std::size_t count = size <= 100 ? 300 : size <= 500 ? 60 : 20;
  constexpr std::size_t enough = 8;
  std::vector<SizedTrees> out = {{"QC", of_size(questions, size, count)},
                                 {"programs", of_size(all_programs, size, count)}};
  std::erase_if(out, [](const SizedTrees& sized) { return sized.trees.size() < enough; });
  if (out.empty()) out.push_back({"made up", sentences(count, size)});
  return out;
}

void compare_sizes(const Arguments& arguments) {
  print("Microseconds of one processor per pair of trees.\n");
  print("{:>6} {:<9} {:>5} {:<23} {:>12} {:>12} {:>12} {:>10} {:>8}  {}\n", "nodes", "trees",
        "count", "kernel", "all pairs", "paper", "baseline", "ours", "x base", "");
  std::vector<Tree> questions, all_programs;
  if (has_real_trees()) {
    questions = question_dependencies();
    all_programs = programs(1);
  }
  for (const std::size_t size : {10, 25, 50, 100, 250, 500, 1000, 2000, 4000}) {
    for (const SizedTrees& sized : trees_of_size(size, questions, all_programs)) {
      const Trees trees(sized.trees);
      const auto per_pair = [&](double time) {
        return 1e6 * time / static_cast<double>(trees.pairs());
      };
      for (const char* text : kernels) {
        if (!arguments.wants(fmt::format("{} {} {}", size, sized.source, text))) continue;
        const FittedKernel kernel{Kernel(text)};
        const Matrix<double> values = gram(kernel, trees.data, with_threads(1));
        const auto time = [&](Algorithm algorithm) {
          return time_pairs(algorithm, kernel.kernel, trees, values, arguments.limit / 4);
        };
        const auto text_of = [&](bool known, Algorithm algorithm) {
          return known ? fmt::format("{:.2f}", per_pair(time(algorithm).seconds)) : "";
        };
        const bool is_st = text == kernels[0];
        const BaselineTime matched = time(Algorithm::matched);
        const double one = our_time({&kernel, 1}, trees, Outputs(trees, 1), 1).processor;
        print("{:>6} {:<9} {:>5} {:<23} {:>12} {:>12} {:>12.2f} {:>10.3f} {:>7.1f}x  {}\n", size,
              sized.source, sized.trees.size(), text,
              text_of(!is_st && size <= 1000, Algorithm::quadratic),
              text_of(!is_st, Algorithm::paper), per_pair(matched.seconds), per_pair(one),
              matched.seconds / one, share_text(matched.share));
      }
    }
  }
}

}  // namespace
}  // namespace espalier::bench

int main(int count, char** arguments) {
  try {
    const auto parsed = espalier::bench::parse(count, arguments);
    parsed.by_size ? espalier::bench::compare_sizes(parsed) : espalier::bench::compare_sets(parsed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier_compare: %s\n", error.what());
    return 1;
  }
}
