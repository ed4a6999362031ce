#include "espalier/distributed/distributed_trees.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/scaled.hpp"
#include "espalier/distributed/rows.hpp"
#include "support/distributed_fragments.hpp"
#include "support/failure.hpp"
#include "support/small_trees.hpp"

namespace espalier::test {
namespace {

DistributedTreeOptions options_of(std::size_t dimension,
                                  Composition compose = Composition::product) {
  DistributedTreeOptions options;
  options.dim = dimension;
  options.compose = compose;
  return options;
}

std::vector<float> vector_of(const DistributedTreeOptions& options, const Tree& tree) {
  std::vector<float> row(options.dim, std::nanf(""));
  DistributedTreeStream(DistributedTrees(options)).transform(tree, row);
  return row;
}

Forest forest_of(std::span<const Tree> trees) {
  Forest forest;
  for (const Tree& tree : trees) forest.add(tree);
  return forest;
}

Context context_of(std::size_t threads, std::size_t memory = std::size_t{1} << 30) {
  Context context;
  context.threads = threads;
  context.memory = memory;
  return context;
}

std::vector<Tree> trees_that_share(std::size_t count) {
  Random random(11);
  std::vector<Tree> out;
  for (const MaybeTree& tree : random_trees(random, count, 25)) out.push_back(to_tree(tree));
  out.push_back(tree("(a)"));
  out.push_back(Tree());
  out.push_back(out.front());
  return out;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::uint64_t bits_of(std::span<const float> row) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const float x : row) h = (h ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001B3;
  return h;
}

TEST(DistributedTrees, IsBitIdenticalForForestStreamThreadsAndMemory) {
  const std::vector<Tree> trees = trees_that_share(40);
  const Forest forest = forest_of(trees);
  for (const Composition compose : compositions) {
    for (const DistributedFragments fragments : kinds) {
      for (const std::size_t dimension : {std::size_t{16}, std::size_t{2048}, std::size_t{2500}}) {
        if (compose == Composition::convolution && dimension == 2500) continue;
        DistributedTreeOptions options = options_of(dimension, compose);
        options.fragments = fragments;
        const DistributedTrees distributed(options);
        const Matrix<float> rows = distributed.transform(forest, context_of(1));
        const Matrix<float> threads = distributed.transform(forest, context_of(3));
        const Matrix<float> memory = distributed.transform(forest, context_of(2, 1));
        DistributedTreeStream stream(distributed);
        std::vector<float> row(dimension);
        for (std::size_t i = 0; i < trees.size(); ++i) {
          stream.transform(trees[i], row);
          EXPECT_TRUE(same_bits(rows.row(i), row)) << i;
          EXPECT_TRUE(same_bits(rows.row(i), threads.row(i))) << i;
          EXPECT_TRUE(same_bits(rows.row(i), memory.row(i))) << i;
        }
      }
    }
  }
}

TEST(DistributedTrees, EmbedsSomeTreesOfAForest) {
  const std::vector<Tree> trees = trees_that_share(10);
  const DistributedTrees distributed(options_of(64));
  const Forest forest = forest_of(trees);
  const Matrix<float> all = distributed.transform(forest);
  const std::vector<TreeId> chosen = {7, 2, 2, 11};
  Matrix<float> some(4, 64);
  distributed.transform(forest, chosen, some.data());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(same_bits(some.row(i), all.row(chosen[i])));
}

// The bits of labels and of trees are part of the interface: vectors that were stored stay valid.
TEST(DistributedTrees, GoldenBits) {
  const std::vector<float> label = DistributedTrees(options_of(256)).label_vector("NP");
  std::uint32_t signs = 0;
  for (std::size_t i = 0; i < 32; ++i) signs |= (label[i] < 0 ? 1U : 0U) << i;
  EXPECT_EQ(signs, 0x3D88AF3DU);  // also by a program in another language, from the header's text
  const Tree sentence = tree("(S(NP(DT(the))(NN(cat)))(VP(VBZ(sits))))");
  EXPECT_EQ(bits_of(vector_of(options_of(8192), sentence)), 6210992292185424581U);
  EXPECT_EQ(bits_of(vector_of(options_of(1001), sentence)), 4157188801807110599U);
  EXPECT_EQ(bits_of(vector_of(options_of(1024, Composition::convolution), sentence)),
            3472393704479228513U);
  DistributedTreeOptions papers = options_of(1024);
  papers.recipe = Recipe::papers;
  EXPECT_EQ(bits_of(DistributedTrees(papers).label_vector("NP")), 8032521644592631779U);
  EXPECT_EQ(bits_of(vector_of(papers, sentence)), 11545098938790232584U);
  papers.compose = Composition::convolution;
  EXPECT_EQ(bits_of(vector_of(papers, sentence)), 1765976145600034007U);
}

TEST(DistributedTrees, LabelVectorsHaveUnitLengthAndDependOnTheSeed) {
  for (const std::size_t dimension : {1, 3, 1000}) {
    double length = 0;
    for (const float x : DistributedTrees(options_of(dimension)).label_vector("x")) {
      length += double{x} * x;
    }
    EXPECT_NEAR(length, 1, 1e-5);
  }
  DistributedTreeOptions other = options_of(64);
  other.seed = 2;
  const Tree some = tree("(a(b)(c))");
  EXPECT_NE(vector_of(options_of(64), some), vector_of(other, some));
}

TEST(DistributedTrees, EmptyTreesAndLeavesAreZero) {
  for (const Composition compose : compositions) {
    const std::vector<float> zeros(64, 0);
    EXPECT_EQ(vector_of(options_of(64, compose), Tree()), zeros);
    EXPECT_EQ(vector_of(options_of(64, compose), tree("(a)")), zeros);
    DistributedTreeOptions paths = options_of(64, compose);
    paths.fragments = DistributedFragments::subpaths;
    EXPECT_EQ(vector_of(paths, Tree()), zeros);
    EXPECT_EQ(vector_of(paths, tree("(a)")), DistributedTrees(paths).label_vector("a"));
  }
  EXPECT_EQ(DistributedTrees(options_of(64)).transform(Forest()).rows(), 0U);
}

TEST(DistributedTrees, LargeTreesHaveVectorsBesideAPowerOfTwo) {
  Random random(3);
  const Tree deep = path_tree(100000);
  const Tree bushy = to_tree(random_shape(random, 10000, 4));
  const Tree wide = star_tree(10000);
  for (const Composition compose : compositions) {
    for (const DistributedFragments fragments : kinds) {
      for (const double decay : {0.0, 0.4, 1.0}) {
        for (const Recipe recipe : recipes) {
          DistributedTreeOptions options = options_of(8, compose);
          options.fragments = fragments;
          options.decay = decay;
          options.recipe = recipe;
          for (const Tree* tree : {&deep, &bushy, &wide}) {
            Matrix<float> row(1, 8);
            const int exponent = DistributedTreeStream(DistributedTrees(options))
                                     .transform_scaled(*tree, row.row(0));
            for (const float x : row.row(0)) EXPECT_TRUE(std::isfinite(x));
            EXPECT_TRUE(finish_rows(row, {&exponent, 1}, true).empty());
            double square = 0;
            for (const float x : row.row(0)) square += double{x} * x;
            EXPECT_NEAR(square, 1, 1e-5) << row(0, 0) << " * 2^" << exponent;
          }
        }
      }
    }
  }
}

TEST(DistributedTrees, MissingTreesAreZero) {
  const Forest forest = forest_of(std::vector{tree("(a(b))")});
  const TreeId trees[] = {none, 0, none};
  Matrix<float> rows(3, 8);
  DistributedTrees(options_of(8)).transform(forest, trees, rows.data());
  for (const float x : rows.row(0)) EXPECT_EQ(x, 0);
  for (const float x : rows.row(1)) EXPECT_NE(x, 0);
  for (const float x : rows.row(2)) EXPECT_EQ(x, 0);
}

/// Hundreds of children that may be expanded or not: 2^count fragments.
Tree wide_tree(int count) {
  Tree wide;
  TreeBuilder builder;
  builder.start(wide);
  builder.open("s");
  builder.open("r");
  for (int i = 0; i < count; ++i) {
    builder.open("a" + std::to_string(i % 7));
    builder.open("c");
    builder.leaf("b" + std::to_string(i));
    builder.close();
    builder.leaf("x");
    builder.close();
  }
  builder.close();
  builder.leaf("t");
  builder.close();
  return wide;
}

TEST(DistributedTrees, VectorsOutsideTheRangeAreAnErrorUnlessScaled) {
  DistributedTreeOptions options = options_of(8, Composition::convolution);
  options.decay = 1;
  const Forest forest = forest_of(std::vector{tree("(a(b))"), wide_tree(400)});
  EXPECT_EQ(failure_of([&] { DistributedTrees(options).transform(forest); }).message,
            "tree 2: its vector is outside the range of single precision; vectors of length 1 "
            "always fit: norm(dtk(..)), or embed --normalize");
  const TreeId all[] = {0, 1};
  Matrix<float> rows(2, 8);
  const auto exponents = DistributedTrees(options).transform_scaled(forest, all, rows.data());
  EXPECT_EQ(exponents[0], 0);
  EXPECT_NE(exponents[1], 0);
  EXPECT_EQ(finish_rows(rows, exponents, false), std::vector<std::size_t>{1});
  for (const float x : rows.row(1)) EXPECT_EQ(x, 0);
}

/// The recursion in extended range, by a table of the compositions of all unit vectors: for few
/// dimensions.
class ScaledOracle {
 public:
  using Vector = std::vector<Scaled>;

  explicit ScaledOracle(const DistributedTrees& trees) : trees_(trees) {
    const std::size_t d = trees.options().dim;
    std::vector<float> a(d), b(d);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        a[i] = b[j] = 1;
        const std::vector<float> out = trees.compose(a, b);
        for (std::size_t k = 0; k < d; ++k) {
          if (out[k] != 0) table_.push_back({i, j, k, double{out[k]}});
        }
        a[i] = b[j] = 0;
      }
    }
  }

  /// The sum of s over the tree.
  Vector operator()(const Tree& tree) {
    std::size_t node = 0;
    Vector sum(trees_.options().dim);
    visit(tree, node, sum);
    return sum;
  }

 private:
  struct Entry {
    std::size_t i, j, k;
    double value;
  };

  Vector label(std::string_view text, std::uint32_t arity) const {
    const std::vector<float> entries = trees_.label_vector(text, arity);
    return {entries.begin(), entries.end()};
  }
  Vector composed(const Vector& a, const Vector& b) const {
    Vector out(a.size());
    for (const Entry& e : table_) out[e.k] += Scaled(e.value) * a[e.i] * b[e.j];
    return out;
  }
  /// s of the node in preorder; advances it past its subtree, and adds to the sum.
  Vector visit(const Tree& tree, std::size_t& node, Vector& sum) {
    const std::size_t own = node++;
    std::vector<Vector> children;
    for (std::size_t c = 0; c < tree.children(own); ++c) {
      const std::size_t child = node;
      Vector x = visit(tree, node, sum);
      const Vector leaf = label(tree.label(child), 0);
      for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = x[k] * Scaled(std::sqrt(trees_.options().decay)) + leaf[k];
      }
      children.push_back(std::move(x));
    }
    Vector out(sum.size());
    if (children.empty()) return out;
    out = children.back();
    for (std::size_t c = children.size() - 1; c-- > 0;) out = composed(children[c], out);
    out = composed(label(tree.label(own), static_cast<std::uint32_t>(children.size())), out);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += out[k];
    return out;
  }

  const DistributedTrees& trees_;
  std::vector<Entry> table_;
};

TEST(DistributedTrees, WideTreesHaveTheVectorsOfExtendedRange) {
  for (const Composition compose : compositions) {
    for (const Recipe recipe : recipes) {
      for (const double decay : {0.01, 0.4, 1.0}) {
        DistributedTreeOptions options = options_of(8, compose);
        options.decay = decay;
        options.recipe = recipe;
        const DistributedTrees trees(options);
        for (const int count : {60, 500, 1600}) {
          const Tree wide = wide_tree(count);
          const ScaledOracle::Vector expected = ScaledOracle(trees)(wide);
          Scaled square;
          for (const Scaled& x : expected) square += x * x;
          Matrix<float> row(1, 8);
          const int exponent = DistributedTreeStream(trees).transform_scaled(wide, row.row(0));
          finish_rows(row, {&exponent, 1}, true);
          for (std::size_t k = 0; k < 8; ++k) {
            // x / |x|, as x |x|^2 / (|x| |x|^2)
            EXPECT_NEAR(row(0, k), expected[k].normalised_by(square, 1.0), 2e-3)
                << count << " " << decay << " " << exponent;
          }
        }
      }
    }
  }
}

TEST(DistributedTrees, LabelsOfThePapersAreNormallyDistributed) {
  DistributedTreeOptions options = options_of(1 << 16);
  options.recipe = Recipe::papers;
  const double d = static_cast<double>(options.dim);
  double mean = 0, square = 0, fourth = 0;
  for (const float x : DistributedTrees(options).label_vector("x")) {
    mean += x / std::sqrt(d);
    square += double{x} * x;
    fourth += std::pow(double{x}, 4) * d;
  }
  EXPECT_NEAR(mean, 0, 4 / std::sqrt(d));
  EXPECT_NEAR(square, 1, 1e-5);
  EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96 / d));
}

TEST(DistributedTrees, RejectsBadOptions) {
  const auto message = [](auto&& change) {
    DistributedTreeOptions options;
    change(options);
    return failure_of([&] { DistributedTrees trees(options); }).message;
  };
  EXPECT_EQ(message([](auto& o) { o.dim = 0; }), "dim = 0 is outside [1, 16777216]");
  EXPECT_EQ(message([](auto& o) { o.decay = 1.5; }), "lambda = 1.5 is outside [0, 1]");
  EXPECT_EQ(message([](auto& o) { o.decay = std::nan(""); }), "lambda = nan is outside [0, 1]");
  EXPECT_EQ(message([](auto& o) {
              o.dim = 1000;
              o.compose = Composition::convolution;
            }),
            "dim = 1000 is not 2, 4, 8, .., which compose=convolution needs; take 1024");
  EXPECT_EQ(failure_of([] {
              DistributedTrees(options_of(8)).transform(Forest({.ordered = false}));
            }).message,
            "distributed trees need an ordered forest");
}

TEST(DistributedTrees, CanBeCancelled) {
  Context context;
  context.cancelled = [] { return true; };
  EXPECT_EQ(failure_of([&] {
              DistributedTrees(options_of(8)).transform(forest_of(trees_that_share(3)), context);
            }).message,
            "cancelled");
}

}  // namespace
}  // namespace espalier::test
