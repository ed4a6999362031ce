#include "base/matrix_product.hpp"

#include <gtest/gtest.h>

#include "espalier/base/random.hpp"

namespace espalier {
namespace {

template <class T>
std::vector<T> random_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> out(count);
  for (T& value : out) value = static_cast<T>(random.uniform() - 0.5);
  return out;
}

/// Both matrices in both orders, against sums of products one after the other.
template <class T>
void expect_right(std::size_t rows, std::size_t columns, std::size_t depth, double tolerance) {
  const std::vector<T> a = random_numbers<T>(rows * depth, 1);
  const std::vector<T> b = random_numbers<T>(depth * columns, 2);
  ThreadPool pool(2);
  MatrixProduct<T> multiply(pool);
  const Strided<T> lefts[] = {{a.data(), depth, 1}, {a.data(), 1, rows}};
  const Strided<T> rights[] = {{b.data(), columns, 1}, {b.data(), 1, depth}};
  for (const Strided<T>& left : lefts) {
    for (const Strided<T>& right : rights) {
      std::vector<T> out(rows * columns, T{7});
      multiply(rows, columns, depth, left, right, out.data());
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < depth; ++k) {
            sum += static_cast<double>(left.data[i * left.row + k * left.column]) *
                   static_cast<double>(right.data[k * right.row + j * right.column]);
          }
          ASSERT_NEAR(out[i * columns + j], sum, tolerance) << i << " " << j;
        }
      }
    }
  }
}

TEST(MatrixProduct, IsRightForAllShapes) {
  for (const std::size_t rows : {1, 5, 6, 7, 50}) {
    for (const std::size_t columns : {1, 15, 16, 33}) {
      for (const std::size_t depth : {0, 1, 255, 300}) {
        expect_right<float>(rows, columns, depth, 1e-4);
        expect_right<double>(rows, columns, depth, 1e-12);
      }
    }
  }
  expect_right<float>(130, 200, 150, 1e-4);  // large enough to be shared out
}

TEST(MatrixProduct, GivesARowTheSameBitsAloneAndOnAnyNumberOfThreads) {
  constexpr std::size_t rows = 140, columns = 130, depth = 600;
  const std::vector<float> a = random_numbers<float>(rows * depth, 1);
  const std::vector<float> b = random_numbers<float>(depth * columns, 2);
  ThreadPool one(1), three(3);
  MatrixProduct<float> by_one(one), by_three(three);
  std::vector<float> all(rows * columns), again(rows * columns), alone(columns);
  const Strided<float> right{b.data(), columns, 1};
  by_one(rows, columns, depth, {a.data(), depth, 1}, right, all.data());
  by_three(rows, columns, depth, {a.data(), depth, 1}, right, again.data());
  EXPECT_EQ(all, again);
  for (std::size_t i = 0; i < rows; i += 13) {
    by_one(1, columns, depth, {a.data() + i * depth, depth, 1}, right, alone.data());
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.begin() + i * columns)) << i;
  }
}

TEST(MatrixProduct, FinishesEachRowOnce) {
  constexpr std::size_t rows = 500, columns = 40, depth = 300;
  const std::vector<float> a = random_numbers<float>(rows * depth, 1);
  const std::vector<float> b = random_numbers<float>(depth * columns, 2);
  std::vector<float> plain(rows * columns), doubled(rows * columns);
  ThreadPool pool(2);
  MatrixProduct<float> multiply(pool);
  multiply(rows, columns, depth, {a.data(), depth, 1}, {b.data(), columns, 1}, plain.data());
  multiply(rows, columns, depth, {a.data(), depth, 1}, {b.data(), columns, 1}, doubled.data(),
           [&](std::size_t begin, std::size_t end) {
             for (std::size_t k = begin * columns; k < end * columns; ++k) doubled[k] *= 2;
           });
  for (std::size_t k = 0; k < plain.size(); ++k) ASSERT_EQ(doubled[k], 2 * plain[k]);
}

TEST(ThreadPool, DoesEachTaskOnceTimeAndAgain) {
  for (const std::size_t members : {1, 2, 5}) {
    ThreadPool pool(members);
    EXPECT_EQ(pool.size(), members);
    for (std::size_t tasks = 0; tasks < 40; ++tasks) {
      std::vector<int> done(tasks, 0);
      pool.run(tasks, [&](std::size_t member, std::size_t task) {
        ++done[task];
        ASSERT_LT(member, members);
      });
      EXPECT_EQ(std::count(done.begin(), done.end(), 1), static_cast<std::ptrdiff_t>(tasks));
    }
  }
}

}  // namespace
}  // namespace espalier
