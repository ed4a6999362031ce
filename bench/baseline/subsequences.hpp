#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "espalier/kernel/options.hpp"

namespace espalier::baseline {

/// The sum over pairs of equally long child subsequences in PT, by the recursion of its paper over
/// prefixes: O(p m n). Its last term is subtracted there; here rows and columns are summed one
/// after the other, which needs no subtraction and fewer products.
class CommonSubsequences {
 public:
  explicit CommonSubsequences(const PartialTreeOptions& options) : options_(options) {}

  /// delta(x, y) is D of child x of one node and child y of the other.
  template <class Delta>
  double operator()(std::size_t rows, std::size_t columns, Delta&& delta) {
    const std::size_t size = rows * columns;
    if (single_.size() < size) {
      single_.resize(size);
      current_.resize(size);
    }
    if (above_.size() < columns) above_.resize(columns);
    double level = 0;
    for (std::size_t x = 0; x < rows; ++x) {
      for (std::size_t y = 0; y < columns; ++y) {
        level += single_[x * columns + y] = delta(x, y);
      }
    }
    double sum = level;
    std::size_t longest = std::min(rows, columns);
    if (options_.max_length > 0 && options_.max_length < static_cast<double>(longest)) {
      longest = static_cast<std::size_t>(options_.max_length);
    }
    if (level == 0 || longest < 2) return sum;
    std::copy_n(single_.begin(), size, current_.begin());
    // Subsequences of length p + 1 extend those of length p; without any there are none longer.
    for (std::size_t length = 2; length <= longest && level != 0; ++length) {
      sum += level = extend(rows, columns);
    }
    return sum;
  }

 private:
  /// current_(x, y): all pairs of subsequences that end in x and y; makes them one longer.
  double extend(std::size_t rows, std::size_t columns) {
    const double decay = options_.decay;
    // Between two neighbours no child is skipped, but each spans one more.
    const double step = options_.gap == Gap::span ? decay * decay : 1;
    std::fill_n(above_.begin(), columns, 0);
    double level = 0;
    for (std::size_t x = 0; x < rows; ++x) {
      const double* const single = single_.data() + x * columns;
      double* const current = current_.data() + x * columns;
      double row = 0, diagonal = 0;
      for (std::size_t y = 0; y < columns; ++y) {
        row = decay * row + current[y];
        level += current[y] = step * single[y] * diagonal;
        diagonal = above_[y];
        above_[y] = decay * above_[y] + row;
      }
    }
    return level;
  }

  PartialTreeOptions options_;
  std::vector<double> single_;  ///< D of the children
  std::vector<double> current_;
  std::vector<double> above_;  ///< what is summed over all rows so far and all columns up to this
};

}  // namespace espalier::baseline
