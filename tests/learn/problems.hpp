#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "espalier/base/matrix.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier::test {

/// Random numbers that are the same everywhere; the distributions of the standard library are not.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_() % end); }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) / 9007199254740992.0;
  }
  std::int8_t sign() { return below(2) == 0 ? std::int8_t{1} : std::int8_t{-1}; }

 private:
  std::mt19937_64 engine_;
};

using Points = std::vector<std::vector<double>>;

/// On a grid: their dot products are exact in float, so that a linear kernel is positive
/// semidefinite to the bit, and can be solved to any tolerance.
inline Points random_points(Numbers& numbers, std::size_t count, std::size_t dimensions) {
  Points out(count, std::vector<double>(dimensions));
  for (auto& point : out) {
    for (double& x : point) x = std::round(256 * numbers.between(-1, 1)) / 256;
  }
  return out;
}

/// The matrix with f(i, j) at row i, column j.
template <class F>
Matrix<float> gram_of(std::size_t size, F&& f) {
  Matrix<float> out(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) out(i, j) = static_cast<float>(f(i, j));
  }
  return out;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

inline Matrix<float> linear_gram(const Points& points) {
  return gram_of(points.size(),
                 [&](std::size_t i, std::size_t j) { return dot(points[i], points[j]); });
}

inline Matrix<float> rbf_gram(const Points& points, double gamma) {
  return gram_of(points.size(), [&](std::size_t i, std::size_t j) {
    const auto &a = points[i], &b = points[j];
    return std::exp(-gamma * (dot(a, a) + dot(b, b) - 2 * dot(a, b)));
  });
}

/// Rows and columns of some examples, copied.
inline Matrix<float> submatrix(const Matrix<float>& gram,
                               const std::vector<std::uint32_t>& examples) {
  return gram_of(examples.size(),
                 [&](std::size_t i, std::size_t j) { return gram(examples[i], examples[j]); });
}

/// The coefficient of each row of the matrix, 0 unless it is a support vector.
inline std::vector<double> coefficients(const DecisionFunction& function, std::size_t size) {
  std::vector<double> out(size, 0.0);
  for (const SupportVector& s : function.support_vectors) out[s.example] = s.coefficient;
  return out;
}

/// f(x) of all examples of the matrix.
inline std::vector<double> scores(const DecisionFunction& function, const Matrix<float>& gram) {
  std::vector<double> out;
  for (std::size_t i = 0; i < gram.rows(); ++i) {
    out.push_back(decision_value(function, gram.row(i)));
  }
  return out;
}

}  // namespace espalier::test
