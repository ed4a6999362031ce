// What subtree kernels cost once the forest is there: further matrices, and learning weights.
//
//     espalier_subtrees
//
// Needs ../shared, or the folder $ESPALIER_SHARED, for INEX 2005 and the programs.

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

#include "contest.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "espalier/engine/discriminance.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/model/targets.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

/// "8:a(b(c) d)": a class, then labels before the brackets of their children.
Tree prefix_tree(std::string_view text) {
  Tree tree;
  TreeBuilder builder;
  builder.start(tree);
  bool open_last = false;  // the last label may still get children
  const auto close_last = [&] {
    if (open_last) builder.close();
    open_last = false;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("() ", at), text.size());
    if (end > at) {
      close_last();
      builder.open(text.substr(at, end - at));
      open_last = true;
      at = end;
      continue;
    }
    if (text[at] == '(') open_last = false;
    if (text[at] == ')') {
      close_last();
      builder.close();
    }
    ++at;
  }
  close_last();
  return tree;
}

std::vector<Tree> documents() {
  std::istringstream lines(
      test::file_in_archive(test::shared_data("inex2005.tar.gz"), "inex05.train.elastic.tree"));
  std::vector<Tree> out;
  for (std::string line; std::getline(lines, line);) {
    out.push_back(prefix_tree(std::string_view(line).substr(line.find(':') + 1)));
  }
  return out;
}

/// One sparse product by the textbook: for each row, its features' columns into a dense row.
double time_sparse_product(const SparseMatrix& rows) {
  std::vector<std::vector<std::pair<std::uint32_t, double>>> columns(rows.columns());
  for (std::uint32_t i = 0; i < rows.rows(); ++i) {
    const auto [ids, values] = rows.row(i);
    for (std::size_t k = 0; k < ids.size(); ++k) columns[ids[k]].emplace_back(i, values[k]);
  }
  return shortest([&] {
           Matrix<double> out(rows.rows(), rows.rows());
           for (std::size_t i = 0; i < rows.rows(); ++i) {
             const auto row = out.row(i);
             std::fill(row.begin(), row.end(), 0.0);
             const auto [ids, values] = rows.row(i);
             for (std::size_t k = 0; k < ids.size(); ++k) {
               for (const auto& [j, value] : columns[ids[k]]) row[j] += values[k] * value;
             }
           }
         })
      .processor;
}

/// The line through (x, y) with the least squares: intercept and slope.
std::pair<double, double> fitted_line(std::span<const double> x, std::span<const double> y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    n += 1;
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {(sy - slope * sx) / n, slope};
}

void matrices() {
  const std::vector<Tree> trees = documents();
  Dataset data;
  const double reduction = shortest([&] {
                             data = {};
                             for (const Tree& tree : trees) {
                               Example example;
                               example.trees.push_back({"t", tree});
                               data.add(example);
                             }
                           }).processor;
  std::vector<double> counts, seconds;
  for (std::size_t count = 1; count <= 20; ++count) {
    std::vector<FittedKernel> kernels;
    for (std::size_t k = 1; k <= count; ++k) {
      kernels.emplace_back(Kernel(fmt::format("st(decay={})", static_cast<double>(k) / 20)));
    }
    counts.push_back(static_cast<double>(count));
    seconds.push_back(reduction + shortest([&] {
                                    for (const FittedKernel& kernel : kernels) {
                                      gram<double>(kernel, data, with_threads(1));
                                    }
                                  }).processor);
  }
  const auto [intercept, slope] = fitted_line(counts, seconds);
  ExplicitFeatures features(Kernel("st(decay=0.5)"));
  features.fit(data);
  const double product = time_sparse_product(features.transform(data));
  fmt::print(
      "INEX 2005, {} documents, one processor: reduction {:.3f} s; reduction and 20 matrices "
      "{:.2f} s;\nseconds = {:.3f} + {:.4f} * matrices; one sparse product by the textbook "
      "{:.4f} s ({:.1f} times a matrix)\n",
      trees.size(), reduction, seconds.back(), intercept, slope, product, product / slope);
}

void weights() {
  const Dataset data = read(test::shared_data("poj104.train.sexpr.gz"));
  const Targets targets = make_targets(data);
  const TreeColumn& column = data.trees("");
  const Forest& forest = data.forests()[column.forest].value;
  const double seconds =
      shortest([&] { discriminance(forest, column.trees, targets.classes); }).processor;
  fmt::print("Discriminance of {} distinct subtrees of {} nodes for {} classes: {:.2f} s\n",
             forest.vertex_count(), forest.node_count(), targets.names.size(), seconds);
}

}  // namespace
}  // namespace espalier::bench

int main() {
  try {
    if (!espalier::bench::has_real_trees()) {
      fmt::print("No real trees in {}.\n", espalier::test::shared_folder());
      return 0;
    }
    espalier::bench::matrices();
    espalier::bench::weights();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier_subtrees: %s\n", error.what());
    return 1;
  }
}
