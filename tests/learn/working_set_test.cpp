// Checks the working-set solver against the solver on the matrix, and by optimality conditions.
#include "espalier/learn/working_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "learn/problems.hpp"

namespace espalier {
namespace {

using test::Numbers;

/// A matrix that is only read in parts.
class MatrixSource final : public KernelSource {
 public:
  explicit MatrixSource(const Matrix<float>& gram) : gram_(gram) {}
  std::size_t size() const override { return gram_.rows(); }
  std::uint32_t representative(std::uint32_t example) const override {
    return first.empty() ? example : first[example];
  }
  void gram(std::span<const std::uint32_t> examples, Matrix<float>& out, const Context&) override {
    ++grams;
    largest = std::max(largest, examples.size());
    out = test::submatrix(gram_, {examples.begin(), examples.end()});
  }
  Matrix<double> sums(std::span<const std::uint32_t> examples, const Matrix<double>& coefficients,
                      std::span<const std::uint32_t> targets, const Context& context) override {
    if (context.cancelled && context.cancelled()) throw Cancelled();
    Matrix<double> out(targets.size(), coefficients.rows());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      for (std::size_t o = 0; o < coefficients.rows(); ++o) {
        out(i, o) = 0;
        for (std::size_t k = 0; k < examples.size(); ++k) {
          out(i, o) += coefficients(o, k) * static_cast<double>(gram_(examples[k], targets[i]));
        }
      }
    }
    return out;
  }

  std::size_t grams = 0;
  std::size_t largest = 0;
  std::vector<std::uint32_t> first;  ///< per example: the first that is equal; empty: no duplicates

 private:
  const Matrix<float>& gram_;
};

/// Keeps the last piece in memory.
class MemoryCheckpoint final : public Checkpoint {
 public:
  void replay(const std::function<void(std::uint64_t, std::string_view)>& use) override {
    if (!bytes.empty()) use(number, bytes);
  }
  void append(std::uint64_t at, std::string_view piece) override { replace(at, piece); }
  void replace(std::uint64_t at, std::string_view piece) override {
    number = at;
    bytes = piece;
    ++pieces;
  }
  std::uint64_t number = 0;
  std::string bytes;
  std::size_t pieces = 0;
};

struct ToyProblem {
  Matrix<float> gram;
  ClassLists labels{0};
  std::vector<double> targets;
  std::vector<std::uint32_t> all;
};

/// Overlapping classes, so that there are free variables and bounded ones.
ToyProblem make_problem(std::size_t size, std::uint32_t classes, std::uint64_t seed,
                        bool several = false) {
  Numbers numbers(seed);
  const auto points = test::random_points(numbers, size, 3);
  ToyProblem out;
  out.gram = test::rbf_gram(points, 2.0);
  out.labels = ClassLists(classes);
  for (std::size_t i = 0; i < size; ++i) {
    const double x = points[i][0] + 0.4 * numbers.between(-1, 1);
    auto c = static_cast<std::uint32_t>(std::clamp((x + 1) / 2, 0.0, 0.999) * classes);
    std::vector<std::uint32_t> list{c};
    if (several && numbers.below(4) == 0) list.push_back((c + 1) % classes);
    std::ranges::sort(list);
    out.labels.add(list);
    out.targets.push_back(std::sin(3 * points[i][0]) + 0.2 * numbers.between(-1, 1));
  }
  out.all.resize(size);
  std::iota(out.all.begin(), out.all.end(), 0U);
  return out;
}

/// The kernels in double of each example with those of the function.
std::vector<double> decision_values_of(const Matrix<float>& gram, const DecisionFunction& f) {
  std::vector<double> out;
  for (std::size_t i = 0; i < gram.rows(); ++i) out.push_back(decision_value(f, gram.row(i)));
  return out;
}

/// The largest violation of y f(x) >= 1 at 0, = 1 between, <= 1 at C.
double svc_violation(const Matrix<float>& gram, const DecisionFunction& f,
                     const std::vector<int>& signs, double cost) {
  const auto values = decision_values_of(gram, f);
  const auto b = test::coefficients(f, gram.rows());
  double worst = 0, sum = 0;
  for (std::size_t i = 0; i < gram.rows(); ++i) {
    const double alpha = signs[i] * b[i], margin = signs[i] * values[i];
    EXPECT_GE(alpha, 0);
    EXPECT_LE(alpha, cost);
    if (alpha < cost) worst = std::max(worst, 1 - margin);
    if (alpha > 0) worst = std::max(worst, margin - 1);
    sum += b[i];
  }
  EXPECT_NEAR(sum, 0, 1e-9 * cost * static_cast<double>(gram.rows()));
  return worst;
}

std::vector<int> signs_of(const ClassLists& labels, std::uint32_t positive) {
  std::vector<int> out;
  for (std::size_t i = 0; i < labels.size(); ++i) out.push_back(labels.has(i, positive) ? 1 : -1);
  return out;
}

void expect_same(const DecisionFunction& a, const DecisionFunction& b, const Matrix<float>& gram,
                 double tolerance) {
  EXPECT_TRUE(a.converged && b.converged);
  EXPECT_NEAR(a.objective, b.objective, 1e-6 * std::abs(b.objective));
  const auto mine = decision_values_of(gram, a), other = decision_values_of(gram, b);
  for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_NEAR(mine[i], other[i], 30 * tolerance);
}

class WorkingSetSizes : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(All, WorkingSetSizes, testing::Values(2, 20, 1000));

TEST_P(WorkingSetSizes, FindTheOptimumOfTheMatrixSolver) {
  const ToyProblem problem = make_problem(70, 4, 1);
  for (const auto multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    for (const auto weights : {ClassWeights::equal, ClassWeights::balanced}) {
      ClassifierOptions options;
      options.multi_class = multi_class;
      options.cost = 3;
      options.weights = weights;
      options.solver.tolerance = 1e-5;
      MatrixSource source(problem.gram);
      const auto mine =
          train_classifier(source, problem.all, problem.labels, options, {}, {.size = GetParam()});
      const auto other = train_classifier(GramView(problem.gram), problem.labels, options);
      EXPECT_EQ(mine.classifiers.problems, other.problems);
      EXPECT_EQ(mine.classifiers.class_sizes, other.class_sizes);
      EXPECT_LE(source.largest, GetParam());
      ASSERT_EQ(mine.classifiers.functions.size(), other.functions.size());
      for (std::size_t m = 0; m < other.functions.size(); ++m) {
        expect_same(mine.classifiers.functions[m], other.functions[m], problem.gram, 1e-5);
      }
    }
  }
}

TEST_P(WorkingSetSizes, SatisfyKktConditions) {
  const ToyProblem problem = make_problem(80, 3, 2, true);
  for (const double cost : {0.1, 1.0, 100.0}) {
    ClassifierOptions options;
    options.cost = cost;
    MatrixSource source(problem.gram);
    const auto out =
        train_classifier(source, problem.all, problem.labels, options, {}, {.size = GetParam()});
    for (std::size_t m = 0; m < out.classifiers.functions.size(); ++m) {
      const auto signs = signs_of(problem.labels, out.classifiers.problems[m].positive);
      EXPECT_LE(svc_violation(problem.gram, out.classifiers.functions[m], signs, cost), 1e-3);
    }
  }
}

TEST_P(WorkingSetSizes, FindTheOptimumOfRegression) {
  const ToyProblem problem = make_problem(80, 2, 3);
  const SvrOptions options{.cost = 2, .epsilon = 0.1, .solver = {.tolerance = 1e-5}};
  MatrixSource source(problem.gram);
  const auto mine = train_svr(source, problem.all, problem.targets, options, {.size = GetParam()});
  expect_same(mine, train_svr(GramView(problem.gram), problem.targets, options), problem.gram,
              1e-5);
  // |f - y| <= epsilon without a coefficient, >= epsilon at C.
  const auto values = decision_values_of(problem.gram, mine);
  const auto b = test::coefficients(mine, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(values[i] - problem.targets[i]);
    if (std::abs(b[i]) < 2) {
      EXPECT_LE(error, 0.1 + 1e-4);
    }
    if (b[i] != 0) {
      EXPECT_GE(error, 0.1 - 1e-4);
    }
  }
}

TEST_P(WorkingSetSizes, FindTheOptimumOfOneClass) {
  const ToyProblem problem = make_problem(80, 2, 4);
  const OneClassOptions options{.nu = 0.3, .solver = {.tolerance = 1e-5}};
  MatrixSource source(problem.gram);
  const auto mine = train_one_class(source, problem.all, options, {.size = GetParam()});
  expect_same(mine, train_one_class(GramView(problem.gram), options), problem.gram, 1e-5);
  const auto b = test::coefficients(mine, 80);
  EXPECT_NEAR(std::accumulate(b.begin(), b.end(), 0.0), 0.3 * 80, 1e-9);
}

TEST(WorkingSet, CalibratesAsTheMatrixSolverDoes) {
  const ToyProblem problem = make_problem(90, 3, 5);
  ClassifierOptions options;
  options.solver.tolerance = 1e-6;
  const CalibrationOptions calibration{.folds = 4, .seed = 7};
  MatrixSource source(problem.gram);
  const auto mine =
      train_classifier(source, problem.all, problem.labels, options, calibration, {.size = 30});
  const auto other = calibrate(GramView(problem.gram), problem.labels, options, calibration);
  ASSERT_EQ(mine.sigmoids.size(), other.size());
  for (std::size_t m = 0; m < other.size(); ++m) {
    EXPECT_NEAR(mine.sigmoids[m].slope, other[m].slope, 1e-3 * std::abs(other[m].slope));
    EXPECT_NEAR(mine.sigmoids[m].offset, other[m].offset, 1e-3);
  }
}

TEST(WorkingSet, TrainsOnSomeExamples) {
  const ToyProblem problem = make_problem(150, 3, 6);
  std::vector<std::uint32_t> some;
  ClassLists labels(3);
  for (std::uint32_t i = 140; i > 20; i -= 2) {
    some.push_back(i);
    labels.add(problem.labels[i]);
  }
  ClassifierOptions options;
  options.solver.tolerance = 1e-5;
  MatrixSource source(problem.gram);
  const auto mine = train_classifier(source, some, labels, options, {}, {.size = 20});
  const auto other = train_classifier(GramView(problem.gram, some), labels, options);
  for (std::size_t m = 0; m < other.functions.size(); ++m) {
    expect_same(mine.classifiers.functions[m], other.functions[m], problem.gram, 1e-5);
  }
}

TEST(WorkingSet, ShrinkingAndThreadsDoNotChangeTheOptimum) {
  const ToyProblem problem = make_problem(120, 3, 7);
  ClassifierOptions options;
  options.cost = 10;
  options.solver.tolerance = 1e-5;
  MatrixSource source(problem.gram);
  const auto train_with = [&](bool shrinking, std::size_t threads) {
    options.solver.shrinking = shrinking;
    Context context;
    context.threads = threads;
    return train_classifier(source, problem.all, problem.labels, options, {}, {.size = 12}, context)
        .classifiers;
  };
  const auto one = train_with(true, 1), two = train_with(true, 2), whole = train_with(false, 1);
  for (std::size_t m = 0; m < one.functions.size(); ++m) {
    EXPECT_EQ(one.functions[m].support_vectors, two.functions[m].support_vectors);
    EXPECT_EQ(one.functions[m].bias, two.functions[m].bias);
    expect_same(one.functions[m], whole.functions[m], problem.gram, 1e-5);
  }
}

TEST(WorkingSet, StartsFromAnotherCost) {
  const ToyProblem problem = make_problem(120, 3, 8);
  ClassifierOptions options;
  options.solver.tolerance = 1e-5;
  WarmStart warm;
  std::size_t cold_grams = 0, warm_grams = 0;
  for (const double cost : {1.0, 3.0, 2.0}) {
    options.cost = cost;
    MatrixSource cold(problem.gram), source(problem.gram);
    const auto mine = train_classifier(source, problem.all, problem.labels, options, {},
                                       {.size = 30, .warm_start = &warm});
    const auto other =
        train_classifier(cold, problem.all, problem.labels, options, {}, {.size = 30});
    for (std::size_t m = 0; m < mine.classifiers.functions.size(); ++m) {
      expect_same(mine.classifiers.functions[m], other.classifiers.functions[m], problem.gram,
                  1e-5);
    }
    if (cost == 1) continue;
    cold_grams += cold.grams;
    warm_grams += source.grams;
  }
  EXPECT_LT(warm_grams, cold_grams);
}

TEST(WorkingSet, ContinuesAfterEachRoundWithTheSameBits) {
  const ToyProblem problem = make_problem(120, 3, 9);
  const ClassifierOptions options;
  MatrixSource source(problem.gram);
  const auto train_with = [&](Checkpoint* checkpoint, const Context& context) {
    return train_classifier(source, problem.all, problem.labels, options, {},
                            {.size = 20, .checkpoint = checkpoint}, context);
  };
  const auto whole = train_with(nullptr, {});
  MemoryCheckpoint checkpoint;
  for (int interruptions = 0;; ++interruptions) {
    // Each run is allowed one more round.
    const std::size_t before = checkpoint.pieces;
    Context context;
    context.cancelled = [&] { return checkpoint.pieces > before; };
    try {
      const auto resumed = train_with(&checkpoint, context);
      EXPECT_GT(interruptions, 3);
      for (std::size_t m = 0; m < whole.classifiers.functions.size(); ++m) {
        EXPECT_EQ(resumed.classifiers.functions[m].support_vectors,
                  whole.classifiers.functions[m].support_vectors);
        EXPECT_EQ(resumed.classifiers.functions[m].bias, whole.classifiers.functions[m].bias);
      }
      break;
    } catch (const Cancelled&) {
      ASSERT_LT(interruptions, 1000);
    }
  }
}

TEST(WorkingSet, KeepsWhatIsReachedWhenItIsCancelled) {
  const ToyProblem problem = make_problem(200, 3, 10);
  const ClassifierOptions options;
  MatrixSource source(problem.gram);
  std::size_t calls = 0;
  Context context;
  context.threads = 1;
  context.cancelled = [&] { return ++calls > 12; };
  const auto out = train_classifier(source, problem.all, problem.labels, options, {},
                                    {.size = 20, .keep_unfinished = true}, context);
  bool converged = true, learned = false;
  for (const DecisionFunction& f : out.classifiers.functions) {
    converged = converged && f.converged;
    learned = learned || !f.support_vectors.empty();
  }
  EXPECT_FALSE(converged);
  EXPECT_TRUE(learned);
  calls = 0;
  EXPECT_THROW(
      train_classifier(source, problem.all, problem.labels, options, {}, {.size = 20}, context),
      Cancelled);
}

/// Each example several times: often with its own class and target, sometimes with another.
struct Duplicates {
  ToyProblem problem;
  std::vector<std::uint32_t> first;
};

Duplicates make_duplicates(std::uint32_t count, std::uint64_t seed) {
  const ToyProblem one = make_problem(count, 3, seed);
  Numbers numbers(seed + 1);
  Duplicates out;
  std::vector<std::uint32_t> of;
  std::vector<std::uint32_t> first(count, none);
  out.problem.labels = ClassLists(3);
  for (std::uint32_t i = 0; i < 3 * count; ++i) {
    const auto e = static_cast<std::uint32_t>(numbers.below(count));
    of.push_back(e);
    if (first[e] == none) first[e] = i;
    out.first.push_back(first[e]);
    const bool other = numbers.below(5) == 0;
    out.problem.labels.add({{(one.labels[e][0] + static_cast<std::uint32_t>(other)) % 3}});
    out.problem.targets.push_back(one.targets[e] + (other ? 0.3 : 0));
    out.problem.all.push_back(i);
  }
  out.problem.gram = test::submatrix(one.gram, of);
  return out;
}

TEST(WorkingSet, OptimisesDuplicatesAsOne) {
  const auto [problem, first] = make_duplicates(40, 12);
  const auto largest = [&](auto&& train, std::size_t size) {
    MatrixSource source(problem.gram);
    source.first = first;
    train(source, WorkingSetOptions{.size = size});
    return source.largest;
  };
  for (const std::size_t size : {7, 1000}) {
    ClassifierOptions options;
    options.cost = 0.7;  // of which sums are rounded
    options.solver.tolerance = 1e-5;
    const auto other = train_classifier(GramView(problem.gram), problem.labels, options);
    const auto classify = [&](KernelSource& source, const WorkingSetOptions& working_set) {
      const auto mine =
          train_classifier(source, problem.all, problem.labels, options, {}, working_set);
      for (std::size_t m = 0; m < other.functions.size(); ++m) {
        const DecisionFunction& f = mine.classifiers.functions[m];
        expect_same(f, other.functions[m], problem.gram, 1e-5);
        const auto signs = signs_of(problem.labels, other.problems[m].positive);
        EXPECT_LE(svc_violation(problem.gram, f, signs, options.cost), 3e-5);
      }
    };
    EXPECT_LE(largest(classify, size), 40U);
    const SvrOptions svr{.cost = 0.7, .epsilon = 0.1, .solver = {.tolerance = 1e-5}};
    const auto regress = [&](KernelSource& source, const WorkingSetOptions& working_set) {
      const auto mine = train_svr(source, problem.all, problem.targets, svr, working_set);
      expect_same(mine, train_svr(GramView(problem.gram), problem.targets, svr), problem.gram,
                  1e-5);
      for (const double b : test::coefficients(mine, 120)) EXPECT_LE(std::abs(b), svr.cost);
    };
    EXPECT_LE(largest(regress, size), 40U);
    const OneClassOptions one_class{.nu = 0.3, .solver = {.tolerance = 1e-5}};
    const auto describe = [&](KernelSource& source, const WorkingSetOptions& working_set) {
      const auto mine = train_one_class(source, problem.all, one_class, working_set);
      expect_same(mine, train_one_class(GramView(problem.gram), one_class), problem.gram, 1e-5);
      for (const double b : test::coefficients(mine, 120)) EXPECT_LE(b, 1);
    };
    EXPECT_LE(largest(describe, size), 40U);
  }
}

TEST(WorkingSet, StopsAtTheLimitOfIterations) {
  const ToyProblem problem = make_problem(150, 2, 11);
  ClassifierOptions options;
  options.solver.max_iterations = 5;
  MatrixSource source(problem.gram);
  const auto out = train_classifier(source, problem.all, problem.labels, options, {}, {.size = 10});
  EXPECT_FALSE(out.classifiers.functions[0].converged);
}

}  // namespace
}  // namespace espalier
