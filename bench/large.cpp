// The partial tree kernel on the largest real trees: time, memory, and agreement with the
// tree-by-tree algorithm.
//
//     espalier_large [SECONDS]      for the baseline of one set, which then computes only a part
//
// Needs ../shared, or the folder $ESPALIER_SHARED.

#include <fmt/format.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>

#include "contest.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

/// The `count` trees whose size is nearest to `size`.
std::vector<Tree> nearest_in_size(std::vector<Tree> trees, std::size_t size, std::size_t count) {
  const auto distance = [&](const Tree& tree) {
    return tree.size() > size ? tree.size() - size : size - tree.size();
  };
  std::ranges::stable_sort(trees, {}, distance);
  trees.resize(std::min(count, trees.size()));
  return trees;
}

std::uint32_t widest_node(const Tree& tree) {
  std::uint32_t out = 0;
  for (std::size_t node = 0; node < tree.size(); ++node) out = std::max(out, tree.children(node));
  return out;
}

/// Up to `count` pages, the smallest ones, that have a node with at least so many children.
std::vector<Tree> wide_pages(std::uint32_t children, std::size_t count) {
  std::vector<Tree> pages = read_trees(test::shared_data("htmldoc.tsv.gz"));
  std::erase_if(pages, [&](const Tree& page) { return widest_node(page) < children; });
  return nearest_in_size(std::move(pages), 0, count);
}

/// Megabytes of memory: what Linux says in that line of /proc/self/status.
long megabytes(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what)) return std::atol(line.c_str() + what.size() + 1) / 1024;
  }
  return 0;
}

/// Gives back what is free and forgets the peak so far, so that the next one can be seen.
void forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

void check(const char* name, const std::vector<Tree>& all, double limit) {
  const Trees trees(all);
  const Kernel kernel("pt(lambda=0.4, mu=0.4)");
  std::size_t smallest = all[0].size(), largest = 0;
  std::uint32_t widest = 0;
  for (const Tree& tree : all) {
    smallest = std::min(smallest, tree.size());
    largest = std::max(largest, tree.size());
    widest = std::max(widest, widest_node(tree));
  }
  forget_peak();
  const long before = megabytes("VmRSS");
  Matrix<double> values(0, 0);
  const Time ours = time_of([&] { values = gram(kernel, trees.data, with_threads(1)); });
  const long peak = megabytes("VmHWM");
  const BaselineTime baseline = time_pairs(Algorithm::matched, kernel, trees, values, limit);
  fmt::print("{:<22} {:>5} {:>6}-{:<6} {:>8} {:>8.2f} {:>8} {:>9.1f} {:>9.0e} {:>6.1f} %\n", name,
             all.size(), smallest, largest, widest, ours.processor, peak - before, baseline.seconds,
             baseline.error, 100 * baseline.share);
  std::fflush(stdout);
}

void check_all(double limit) {
  fmt::print("{:<22} {:>5} {:>13} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8}\n", "trees", "count", "nodes",
             "children", "ours s", "more MB", "base s", "rel.diff", "checked");
  const std::vector<Tree> all = programs(1);
  check("programs of 4,000", nearest_in_size(all, 4000, 60), limit);
  check("the largest program", nearest_in_size(all, std::size_t{1} << 40, 1), limit);
  check("the largest programs", nearest_in_size(all, std::size_t{1} << 40, 8), limit);
  check("pages with wide nodes", wide_pages(500, 20), limit);
}

}  // namespace
}  // namespace espalier::bench

int main(int count, char** arguments) {
  try {
    espalier::bench::check_all(count > 1 ? std::atof(arguments[1]) : 60);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier_large: %s\n", error.what());
    return 1;
  }
}
