#include "espalier/embed/nystroem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/eigen_decomposition.hpp"
#include "embed/landmarks.hpp"
#include "embed/row_product.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/base/random.hpp"
#include "espalier/gram/gram.hpp"

namespace espalier {

namespace {

using Places = std::vector<std::uint32_t>;
constexpr std::size_t most_kernels = std::size_t{1} << 20;

/// S^(-1/2) U', without the dropped directions.
Matrix<double> projection_of(const EigenDecomposition& w, double tolerance) {
  const double least = tolerance * w.values[0];
  const auto rank = static_cast<std::size_t>(
      std::ranges::count_if(w.values, [&](double value) { return value > 0 && value >= least; }));
  Matrix<double> out(rank, w.values.size());
  for (std::size_t k = 0; k < rank; ++k) {
    const double scale = 1 / std::sqrt(w.values[k]);
    std::ranges::transform(w.vectors.row(k), out.row(k).begin(),
                           [&](double value) { return scale * value; });
  }
  return out;
}

/// A submatrix with these rows and columns.
Matrix<double> part_of(const Matrix<double>& all, std::span<const std::uint32_t> rows,
                       std::span<const std::uint32_t> columns) {
  Matrix<double> out(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) out(i, j) = all(rows[i], columns[j]);
  }
  return out;
}

/// A random partition of 0, 1, .. into `sets` parts, each ascending.
std::vector<Places> deal(std::size_t count, std::size_t sets, std::uint64_t seed) {
  Places order(count);
  std::iota(order.begin(), order.end(), 0U);
  if (sets > 1) Random(seed).shuffle(std::span(order));
  std::vector<Places> out(std::min(sets, count));
  for (std::size_t i = 0; i < count; ++i) out[i % out.size()].push_back(order[i]);
  for (Places& set : out) std::ranges::sort(set);
  return out;
}

/// The squared error of the approximated kernels on a sample.
double squared_error(const Matrix<double>& exact, const Matrix<double>& by_landmarks,
                     const Matrix<double>& projection, const Context& context) {
  Matrix<double> vectors(exact.rows(), projection.rows());
  row_product(by_landmarks, projection, vectors.data(), context);
  Matrix<double> products(exact.rows(), exact.rows());
  row_product(vectors, vectors, products.data(), context);
  double out = 0;
  for (std::size_t k = 0; k < exact.rows() * exact.rows(); ++k) {
    out += (products.data()[k] - exact.data()[k]) * (products.data()[k] - exact.data()[k]);
  }
  return out;
}

/// A block for each set, scaled by the root of its weight; 0 elsewhere.
Matrix<double> block_matrix(std::span<const Places> sets,
                            std::span<const Matrix<double>> projections,
                            std::span<const double> weights, std::size_t landmarks) {
  std::size_t rows = 0;
  for (const Matrix<double>& projection : projections) rows += projection.rows();
  Matrix<double> out(rows, landmarks);
  std::fill_n(out.data(), rows * landmarks, 0.0);
  std::size_t row = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t k = 0; k < projections[s].rows(); ++k, ++row) {
      for (std::size_t l = 0; l < sets[s].size(); ++l) {
        out(row, sets[s][l]) = std::sqrt(weights[s]) * projections[s](k, l);
      }
    }
  }
  return out;
}

}  // namespace

Nystroem::Nystroem(FittedKernel kernel, NystroemOptions options)
    : kernel_(std::move(kernel)), options_(options) {
  check_parameters(options_);
  if (options_.landmarks == 0) throw Error("landmarks = 0: Nystroem needs at least one");
}

void Nystroem::fit(const Dataset& data, std::span<const std::uint32_t> classes,
                   const Context& context) {
  if (data.size() == 0) throw Error("there are no examples to choose landmarks from");
  Context quiet = context;
  quiet.progress = nullptr;
  NystroemOptions wanted = options_;
  wanted.landmarks *= options_.sets;
  Places chosen = choose_landmarks(kernel_, data, classes, wanted, quiet);
  Dataset landmarks = data.select(chosen);
  const Matrix<double> kernels = gram(kernel_, landmarks, quiet);
  const std::vector<Places> sets = deal(chosen.size(), options_.sets, options_.seed);
  std::vector<Matrix<double>> projections;
  projections.reserve(sets.size());
  for (const Places& set : sets) {
    projections.push_back(
        projection_of(decompose_symmetric(part_of(kernels, set, set)), options_.rank_tolerance));
  }
  const std::vector<double> weights = set_weights(data, landmarks, sets, projections, quiet);
  projection_ =
      std::make_shared<Matrix<double>>(block_matrix(sets, projections, weights, chosen.size()));
  if (rank() == 0) {
    throw Error("all landmarks have the kernel 0: choose a kernel that sees something in them");
  }
  landmarks_ = std::move(landmarks);
  chosen_ = std::move(chosen);
}

std::vector<double> Nystroem::set_weights(const Dataset& data, const Dataset& landmarks,
                                          std::span<const Places> sets,
                                          std::span<const Matrix<double>> projections,
                                          const Context& context) const {
  std::vector<double> out(sets.size(), 1.0);
  if (sets.size() > 1 && options_.set_weights == SetWeights::error) {
    constexpr std::size_t most = 500;
    Places places = deal(data.size(), (data.size() + most - 1) / most, options_.seed + 1)[0];
    const Dataset sample = data.select(places);
    const Matrix<double> exact = gram(kernel_, sample, context);
    const Matrix<double> by_landmarks = gram(kernel_, sample, landmarks, context);
    Places all(places.size());
    std::iota(all.begin(), all.end(), 0U);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const double error =
          squared_error(exact, part_of(by_landmarks, all, sets[s]), projections[s], context);
      out[s] = 1 / std::max(error, std::numeric_limits<double>::min());
    }
  }
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& weight : out) weight /= sum;
  return out;
}

std::size_t Nystroem::rows_together() const {
  // Enough for parallel work, and a few megabytes of kernels. Independent of threads and memory, so
  // that rows computed in parts are bit-identical.
  return std::clamp<std::size_t>(most_kernels / landmarks_.size(), 64, 4096);
}

Matrix<float> Nystroem::transform(const Dataset& data, const Context& context) const {
  if (rank() == 0) throw Error("fit() chooses the landmarks: call it first");
  Matrix<float> out(data.size(), rank());
  const std::size_t together = rows_together();
  if (data.size() <= together) {
    row_product(gram(kernel_, data, landmarks_, context), *projection_, out.data(), context);
    return out;
  }
  Context quiet = context;
  quiet.progress = nullptr;
  for (std::size_t begin = 0; begin < data.size(); begin += together) {
    std::vector<std::uint32_t> some(std::min(together, data.size() - begin));
    std::iota(some.begin(), some.end(), static_cast<std::uint32_t>(begin));
    row_product(gram(kernel_, data.select(some), landmarks_, quiet), *projection_,
                out.row(begin).data(), quiet);
    if (context.progress) {
      context.progress(static_cast<double>(begin + some.size()) / static_cast<double>(data.size()));
    }
  }
  return out;
}

KernelFunctions Nystroem::landmark_kernels(const Context& context) const {
  Matrix<double> coefficients(landmarks_.size(), landmarks_.size());
  std::fill_n(coefficients.data(), landmarks_.size() * landmarks_.size(), 0.0);
  for (std::size_t l = 0; l < landmarks_.size(); ++l) coefficients(l, l) = 1;
  KernelFunctions out(kernel_);
  out.add(landmarks_, coefficients, context);
  return out;
}

}  // namespace espalier
