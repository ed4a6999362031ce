#include "distributed/fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/base/matrix.hpp"
#include "espalier/base/random.hpp"

namespace espalier::distributed {
namespace {

class FourierTest : public testing::TestWithParam<std::size_t> {};

TEST_P(FourierTest, ProductsOfSpectraAreCircularConvolutions) {
  const std::size_t n = GetParam();
  Random random(n);
  Matrix<float> work(3, n + 16);
  std::vector<double> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = work(0, i) = static_cast<float>(random.uniform() - 0.5);
    b[i] = work(1, i) = static_cast<float>(random.uniform() - 0.5);
  }
  const RealFourier fourier(n);
  fourier.forward(work.row(0).data());
  fourier.forward(work.row(1).data());
  fourier.multiply(work.row(0).data(), work.row(1).data(), 1 / static_cast<float>(n),
                   work.row(2).data());
  fourier.inverse(work.row(2).data());
  for (std::size_t i = 0; i < n; i += 1 + n / 200) {
    double expected = 0;
    for (std::size_t j = 0; j < n; ++j) expected += a[j] * b[(i - j) % n];
    EXPECT_NEAR(work(2, i), expected, 3e-7 * static_cast<double>(n) / std::sqrt(n)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, FourierTest,
                         testing::Values(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                         8192, 16384));

}  // namespace
}  // namespace espalier::distributed
