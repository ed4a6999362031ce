// An epoch of the network on Nystroem vectors, beside the matrix products that it consists of.
//
//     espalier_network [THREADS]
//
// 5,452 examples of 600 numbers, two hidden layers of 600, 6 classes, batches of 256; dropout 0.2.

#include "espalier/learn/network.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <optional>

#include "base/matrix_product.hpp"
#include "espalier/base/number.hpp"
#include "espalier/base/random.hpp"
#include "stopwatch.hpp"

namespace espalier::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t examples = 5452;
constexpr std::size_t width = 600;
constexpr std::size_t classes = 6;
constexpr std::size_t batch = 256;

Matrix<float> random_rows(std::size_t columns, Random& random) {
  Matrix<float> out(examples, columns);
  for (float& value : std::span(out.data(), examples * columns)) {
    value = static_cast<float>(random.uniform());
  }
  return out;
}

Matrix<float> random_classes(Random& random) {
  Matrix<float> out(examples, classes);
  std::fill_n(out.data(), examples * classes, 0.0F);
  for (std::size_t i = 0; i < examples; ++i) out(i, random.below(classes)) = 1;
  return out;
}

/// The products of all batches of an epoch: forward, back, and the gradients.
void products_of_an_epoch(ThreadPool& pool) {
  MatrixProduct<float> multiply(pool);
  const std::vector<float> a(width * width, 1.0F), b(width * width, 1.0F);
  std::vector<float> c(width * width);
  const auto by_rows = [](const std::vector<float>& m, std::size_t columns) {
    return Strided<float>{m.data(), columns, 1};
  };
  for (std::size_t begin = 0; begin < examples; begin += batch) {
    const std::size_t count = std::min(batch, examples - begin);
    for (const std::size_t out : {width, width, classes}) {
      multiply(count, out, width, by_rows(a, width), by_rows(b, out), c.data());
      multiply(width, out, count, by_rows(a, width).transposed(), by_rows(b, out), c.data());
    }
    for (const std::size_t out : {width, classes}) {
      multiply(count, width, out, by_rows(a, out), by_rows(b, out).transposed(), c.data());
    }
  }
}

void run(std::size_t threads) {
  Random random(1);
  const Matrix<float> rows = random_rows(width, random);
  const Matrix<float> targets = random_classes(random);
  std::vector<std::uint32_t> all(examples);
  std::iota(all.begin(), all.end(), 0U);
  ThreadPool pool(threads);
  double products = 1e9, epoch = 1e9;
  // From the end of an epoch to that of the next: setting up is no part of it.
  std::optional<Clock::time_point> before;
  Context context;
  context.threads = threads;
  context.progress = [&](double) {
    const auto now = Clock::now();
    if (before) epoch = std::min(epoch, std::chrono::duration<double>(now - *before).count());
    before = now;
  };
  NetworkOptions options;
  options.epochs = 5;
  for (int run = 0; run < 12; ++run) {  // in turn, so that noise meets both
    for (std::size_t k = 1; k < options.epochs; ++k) {
      products = std::min(products, time_of([&] { products_of_an_epoch(pool); }).wall);
    }
    before.reset();
    train_network(rows, targets, NetworkLoss::softmax, all, {}, options, context);
  }
  fmt::print("{} threads: products {:.1f} ms ({:.1f} GFLOP/s), epoch {:.1f} ms, ratio {:.2f}\n",
             threads, 1e3 * products,
             2e-9 * examples * (5.0 * width * width + 3.0 * width * classes) / products,
             1e3 * epoch, epoch / products);
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  const auto threads = espalier::parse_number(argc > 1 ? argv[1] : "1");
  espalier::bench::run(static_cast<std::size_t>(threads.value_or(1)));
}
