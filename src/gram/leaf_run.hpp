#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "engine/leaf.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

/// Evaluates the functions of one leaf for all rows, on threads, within the memory budget. Adds to
/// the values.
class LeafRun {
 public:
  /// The leaf has `outputs` columns; the functions may have more.
  LeafRun(const Leaf& leaf, std::size_t outputs, Matrix<double>& values, const Context& context)
      : leaf_(leaf),
        outputs_{0, outputs},
        values_(values),
        context_(context),
        workers_(thread_count(context)) {}

  /// Requires that each row holds the descendants of its vertices.
  void all() {
    std::vector<std::size_t> begin(values_.rows() + 1);
    std::iota(begin.begin(), begin.end(), std::size_t{0});
    all(begin);
  }
  /// The k-th part is the rows from begin[k] to begin[k + 1]. Requires that a part holds the
  /// descendants of its vertices, in the same row or in earlier ones: it is not divided.
  void all(std::span<const std::size_t> begin) {
    // Each worker first reads the whole weighted forest: few tasks.
    const std::size_t parts = begin.size() - 1;
    const std::size_t few_rows = 512 * parts / std::max<std::size_t>(1, begin.back());
    const std::size_t together = std::max(few_rows, parts / (2 * workers_.size()) + 1);
    parallel((parts + together - 1) / together, context_,
             [&](std::size_t worker, std::size_t task) {
               if (!workers_[worker]) workers_[worker] = leaf_.worker();
               const std::size_t end = std::min(parts, (task + 1) * together);
               compute(*workers_[worker],
                       begin.subspan(task * together, end - task * together + 1));
             },
             [](std::size_t) { return 1.0; });
  }

 private:
  void compute(LeafWorker& worker, std::span<const std::size_t> begin) {
    const Slice rows{begin.front(), begin.back()};
    if (rows.size() == 0) return;
    const std::size_t memory = context_.memory / workers_.size();
    if (begin.size() > 2 && worker.bytes(rows, outputs_, memory) > memory) {
      const std::size_t middle = begin.size() / 2;
      compute(worker, begin.first(middle + 1));
      compute(worker, begin.subspan(middle));
      return;
    }
    std::vector<double> block(rows.size() * outputs_.size());
    const BlockView<double> view{block.data(), outputs_.size()};
    worker.start(rows, outputs_);
    worker.rows(rows, {&view, 1});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        values_(rows.begin + i, o) += view.row(i)[o];
      }
    }
  }

  const Leaf& leaf_;
  Slice outputs_;
  Matrix<double>& values_;
  const Context& context_;
  std::vector<std::unique_ptr<LeafWorker>> workers_;
};

}  // namespace espalier
