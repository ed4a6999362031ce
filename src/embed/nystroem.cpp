#include "espalier/embed/nystroem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/eigen_decomposition.hpp"
#include "embed/landmarks.hpp"
#include "embed/row_product.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/gram/gram.hpp"

namespace espalier {

namespace {

constexpr std::size_t most_kernels = std::size_t{1} << 20;

/// S^(-1/2) U' of the directions that count.
Matrix<double> projection_of(const EigenDecomposition& w, double tolerance) {
  const double least = tolerance * w.values[0];
  const auto rank = static_cast<std::size_t>(
      std::ranges::count_if(w.values, [&](double value) { return value > 0 && value >= least; }));
  if (rank == 0) {
    throw Error("all landmarks have the kernel 0: choose a kernel that sees something in them");
  }
  Matrix<double> out(rank, w.values.size());
  for (std::size_t k = 0; k < rank; ++k) {
    const double scale = 1 / std::sqrt(w.values[k]);
    std::ranges::transform(w.vectors.row(k), out.row(k).begin(),
                           [&](double value) { return scale * value; });
  }
  return out;
}

}  // namespace

Nystroem::Nystroem(Kernel kernel, NystroemOptions options)
    : kernel_(std::move(kernel)), options_(options) {
  if (options_.landmarks == 0) throw Error("landmarks = 0 must be 1 or more");
  if (!(options_.tolerance >= 0 && options_.tolerance < 1)) {
    throw Error("tolerance = " + print_number(options_.tolerance) + " is outside [0, 1)");
  }
}

void Nystroem::fit(const Dataset& data, std::span<const std::uint32_t> classes,
                   const Context& context) {
  if (data.size() == 0) throw Error("there are no examples to choose landmarks from");
  Context quiet = context;
  quiet.progress = nullptr;
  std::vector<std::uint32_t> chosen = choose_landmarks(kernel_, data, classes, options_, quiet);
  Dataset landmarks = data.select(chosen);
  projection_ =
      projection_of(decompose_symmetric(gram(kernel_, landmarks, quiet)), options_.tolerance);
  landmarks_ = std::move(landmarks);
  chosen_ = std::move(chosen);
}

std::size_t Nystroem::rows_together() const {
  // Enough to share work, and a few megabytes of kernels. Neither threads nor memory have a say, as
  // sums over the subtrees of other examples may differ in the last bit.
  return std::clamp<std::size_t>(most_kernels / landmarks_.size(), 64, 4096);
}

Matrix<float> Nystroem::transform(const Dataset& data, const Context& context) const {
  if (rank() == 0) throw Error("fit() chooses the landmarks: call it first");
  Matrix<float> out(data.size(), rank());
  const std::size_t together = rows_together();
  if (data.size() <= together) {
    row_product(gram(kernel_, data, landmarks_, context), projection_, out.data(), context);
    return out;
  }
  Context quiet = context;
  quiet.progress = nullptr;
  for (std::size_t begin = 0; begin < data.size(); begin += together) {
    std::vector<std::uint32_t> some(std::min(together, data.size() - begin));
    std::iota(some.begin(), some.end(), static_cast<std::uint32_t>(begin));
    row_product(gram(kernel_, data.select(some), landmarks_, quiet), projection_,
                out.row(begin).data(), quiet);
    if (context.progress) {
      context.progress(static_cast<double>(begin + some.size()) / static_cast<double>(data.size()));
    }
  }
  return out;
}

KernelFunctions Nystroem::functions(const Matrix<double>& weights, const Context& context) const {
  if (weights.columns() != rank()) throw Error("one weight for each number of a vector, please");
  Matrix<double> coefficients(weights.rows(), landmarks_.size());
  for (std::size_t o = 0; o < weights.rows(); ++o) {
    std::ranges::fill(coefficients.row(o), 0.0);
    for (std::size_t k = 0; k < rank(); ++k) {
      for (std::size_t l = 0; l < landmarks_.size(); ++l) {
        coefficients(o, l) += weights(o, k) * projection_(k, l);
      }
    }
  }
  KernelFunctions out(kernel_);
  out.add(landmarks_, coefficients, context);
  return out;
}

}  // namespace espalier
