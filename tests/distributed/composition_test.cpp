#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "espalier/base/random.hpp"
#include "espalier/distributed/distributed_trees.hpp"

namespace espalier {
namespace {

using Vector = std::vector<float>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector random_vector(Random& random, std::size_t size) {
  Vector out(size);
  for (float& x : out) x = static_cast<float>(random.uniform() - 0.5);
  return out;
}

double distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

std::uint64_t first_random(std::uint64_t start) { return Random(start).next(); }

/// p1 (side 0) or p2 (side 1), to the letter of the header.
Vector shuffled(const Vector& v, const DistributedTreeOptions& options, std::size_t side) {
  const std::size_t lanes[2][8] = {{2, 5, 0, 7, 1, 4, 3, 6}, {4, 3, 6, 0, 7, 2, 1, 5}};
  const std::size_t d = v.size();
  const std::size_t slices =
      options.compose == Composition::product ? std::max<std::size_t>(1, d / 1024) : 1;
  Vector out(d);
  for (std::size_t slice = 0; slice < slices; ++slice) {
    const std::size_t begin = slice * 1024;
    const std::size_t size = slice + 1 < slices ? 1024 : d - begin;
    const std::size_t unit = size % 8 == 0 ? 8 : 1;
    std::vector<std::size_t> order(size / unit);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::uint64_t start =
        first_random(first_random(options.seed ^ 0x73687566666C6573) + d) + 2 * slice + side;
    Random(first_random(start)).shuffle(std::span(order));
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t lane = unit == 8 ? lanes[side][i % 8] : 0;
      out[begin + i] = v[begin + unit * order[i / unit] + lane];
    }
  }
  return out;
}

Vector expected_composition(const Vector& a, const Vector& b,
                            const DistributedTreeOptions& options) {
  const Vector x = shuffled(a, options, 0), y = shuffled(b, options, 1);
  const std::size_t d = a.size();
  Vector out(d);
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    if (options.compose == Composition::product) {
      sum = std::sqrt(static_cast<double>(d)) * x[i] * y[i];
    } else {
      for (std::size_t j = 0; j < d; ++j) sum += double{x[j]} * y[(i - j) % d];
    }
    out[i] = static_cast<float>(sum);
  }
  if (options.compose == Composition::convolution) {
    const double mean = std::accumulate(out.begin(), out.end(), 0.0) / static_cast<double>(d);
    for (float& entry : out) entry -= static_cast<float>(mean);
  }
  return out;
}

DistributedTreeOptions options_of(Composition compose, std::size_t dimension) {
  DistributedTreeOptions options;
  options.compose = compose;
  options.dim = dimension;
  return options;
}

TEST(Composition, MatchesTheSpecification) {
  const std::pair<Composition, std::size_t> cases[] = {
      {Composition::product, 1},      {Composition::product, 7},
      {Composition::product, 64},     {Composition::product, 1001},
      {Composition::product, 1024},   {Composition::product, 2056},
      {Composition::product, 3001},   {Composition::product, 8192},
      {Composition::convolution, 2},  {Composition::convolution, 4},
      {Composition::convolution, 64}, {Composition::convolution, 512}};
  for (const auto& [compose, dimension] : cases) {
    const DistributedTreeOptions options = options_of(compose, dimension);
    Random random(3);
    const Vector a = random_vector(random, dimension), b = random_vector(random, dimension);
    const Vector expected = expected_composition(a, b, options);
    const Vector actual = DistributedTrees(options).compose(a, b);
    EXPECT_LT(distance(actual, expected), 1e-5 * std::sqrt(dot(expected, expected)) + 1e-6)
        << dimension << (compose == Composition::product ? " product" : " convolution");
  }
}

class Both : public testing::TestWithParam<Composition> {};

TEST_P(Both, IsBilinear) {
  const DistributedTrees trees(options_of(GetParam(), 512));
  Random random(1);
  const Vector a = random_vector(random, 512), b = random_vector(random, 512);
  const Vector c = random_vector(random, 512);
  Vector sum(512);
  for (std::size_t i = 0; i < 512; ++i) sum[i] = 2 * a[i] - 3 * b[i];
  const auto combined = [](const Vector& x, const Vector& y) {
    Vector out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = 2 * x[i] - 3 * y[i];
    return out;
  };
  const Vector left = combined(trees.compose(a, c), trees.compose(b, c));
  const Vector right = combined(trees.compose(c, a), trees.compose(c, b));
  EXPECT_LT(distance(trees.compose(sum, c), left), 1e-5 * std::sqrt(dot(left, left)));
  EXPECT_LT(distance(trees.compose(c, sum), right), 1e-5 * std::sqrt(dot(right, right)));
}

/// Every way to compose up to three of three labels.
std::vector<Vector> compositions_of_labels(const DistributedTrees& trees) {
  const Vector labels[] = {trees.label_vector("a"), trees.label_vector("b"),
                           trees.label_vector("c")};
  std::vector<Vector> out(std::begin(labels), std::end(labels));
  for (const Vector& a : labels) {
    for (const Vector& b : labels) {
      out.push_back(trees.compose(a, b));
      for (const Vector& c : labels) {
        out.push_back(trees.compose(a, trees.compose(b, c)));
        out.push_back(trees.compose(trees.compose(a, b), c));
      }
    }
  }
  return out;
}

/// The mean squared cosine of two of them, times the dimension: 1 for independent random vectors.
double mean_overlap(DistributedTreeOptions options) {
  double squares = 0, pairs = 0;
  for (options.seed = 1; options.seed <= 10; ++options.seed) {
    const std::vector<Vector> all = compositions_of_labels(DistributedTrees(options));
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j, ++pairs) {
        const double cosine = dot(all[i], all[j]);
        EXPECT_LT(std::abs(cosine), 7 / std::sqrt(options.dim)) << i << " " << j;
        squares += cosine * cosine;
      }
    }
  }
  return squares / pairs * static_cast<double>(options.dim);
}

// Neither commutative nor associative, even with repeated labels.
TEST(Composition, IsNeitherCommutativeNorAssociative) {
  // 8 does not divide 255: entries are permuted one by one. Blocks do as well.
  EXPECT_NEAR(mean_overlap(options_of(Composition::product, 256)), 1, 0.1);
  EXPECT_NEAR(mean_overlap(options_of(Composition::product, 255)), 1, 0.1);
  // Convolutions with the same left operand have twice the variance: its spectrum is not flat.
  EXPECT_LT(mean_overlap(options_of(Composition::convolution, 256)), 1.8);
}

TEST_P(Both, KeepsTheLength) {
  const DistributedTrees trees(options_of(GetParam(), 4096));
  for (const Vector& v : compositions_of_labels(trees)) {
    EXPECT_NEAR(dot(v, v), 1, GetParam() == Composition::product ? 1e-5 : 0.2);
  }
}

INSTANTIATE_TEST_SUITE_P(Compositions, Both,
                         testing::Values(Composition::product, Composition::convolution));

}  // namespace
}  // namespace espalier
