// Matrices that are interrupted and gone on with.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "espalier/gram/fingerprint.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/io/matrix_file.hpp"
#include "espalier/io/part_file.hpp"
#include "model/toy_data.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::toy_classes;

/// Computes matrices in a file; if `interrupted`, only until a block is finished.
template <class T>
bool attempt(std::span<const FittedKernel> kernels, const Dataset& rows, const Dataset* columns,
             const test::TempDir& folder, const Context& limits, bool interrupted) {
  PartFile part(folder.path("x.part"), "test");
  const std::size_t width = columns != nullptr ? columns->size() : rows.size();
  MatrixFile<T> matrices(folder.path("x.npy"), {kernels.size(), rows.size(), width},
                         folder.path("x.part.npy"));
  Context context = limits;
  const auto finished = [&] { return std::filesystem::file_size(folder.path("x.part")); };
  const std::uintmax_t before = finished();
  if (interrupted) context.cancelled = [&] { return finished() > before; };
  try {
    gram_into<T>(kernels, rows, columns, matrices, context, &part);
  } catch (const Cancelled&) {
    return false;
  }
  return true;
}

template <class T>
bool are_in_file(const std::vector<Matrix<T>>& right, const std::string& path) {
  const std::string bytes = test::read_file(path);
  const std::size_t matrix_bytes = right[0].rows() * right[0].columns() * sizeof(T);
  std::size_t at = bytes.size() - right.size() * matrix_bytes;
  bool same = at == 128;
  for (const Matrix<T>& matrix : right) {
    same = same && std::memcmp(bytes.data() + at, matrix.data(), matrix_bytes) == 0;
    at += matrix_bytes;
  }
  return same;
}

template <class T>
std::vector<Matrix<T>> in_memory(std::span<const FittedKernel> kernels, const Dataset& rows,
                                 const Dataset* columns) {
  return columns != nullptr ? gram<T>(kernels, rows, *columns) : gram<T>(kernels, rows);
}

template <class T>
void expect_same_after_interruptions(const char* expression, const Dataset& rows,
                                     const Dataset* columns) {
  const std::vector<FittedKernel> kernels = sweep(expression);
  const auto right = in_memory<T>(kernels, rows, columns);
  const test::TempDir folder;
  std::size_t interruptions = 0;
  const auto limits = [&] {
    return Context{.threads = 1 + interruptions % 3,
                   .memory = std::size_t{1} << (16 + 7 * (interruptions % 2))};
  };
  while (!attempt<T>(kernels, rows, columns, folder, limits(), true)) {
    ASSERT_LT(++interruptions, 200U);
  }
  EXPECT_GT(interruptions, 3U);
  EXPECT_TRUE(are_in_file(right, folder.path("x.part.npy"))) << expression;
  // Now everything is finished.
  const std::uintmax_t size = std::filesystem::file_size(folder.path("x.part"));
  EXPECT_TRUE(attempt<T>(kernels, rows, columns, folder, {.threads = 2}, false));
  EXPECT_EQ(std::filesystem::file_size(folder.path("x.part")), size);
}

TEST(ResumedGram, HasTheSameBits) {
  const Dataset many = toy_classes({.count = 260, .seed = 1});
  const Dataset few = toy_classes({.count = 150, .seed = 2});
  // Blocks of 4096 rows and of 128; several kernels in one pass, and in several.
  for (const char* const kernel : {"norm(pt(t))", "st(t) + linear(v)",
                                   "norm(sst(t, lambda={.1,.2,.3,.4,.5,.6,.7,.8,.9}))*rbf(d)"}) {
    expect_same_after_interruptions<double>(kernel, many, nullptr);
    expect_same_after_interruptions<float>(kernel, few, &many);
  }
}

TEST(StoredGram, HasTheBitsOfMemoryInAnyMemory) {
  const Dataset many = toy_classes({.count = 260, .seed = 1});
  const Dataset few = toy_classes({.count = 150, .seed = 2});
  const std::vector<FittedKernel> kernels = sweep("norm(sst(t, lambda={.1,.2,.3})) + linear(v)");
  for (const Dataset* const columns : {static_cast<const Dataset*>(nullptr), &many}) {
    const Dataset& rows = columns != nullptr ? few : many;
    const auto right = in_memory<double>(kernels, rows, columns);
    for (const std::size_t memory : {std::size_t{1}, std::size_t{100'000}, std::size_t{1} << 30}) {
      const test::TempDir folder;
      MatrixFile<double> matrices(folder.path("x.npy"), {3, rows.size(), many.size()});
      gram_into<double>(kernels, rows, columns, matrices, {.threads = 2, .memory = memory});
      matrices.commit();
      EXPECT_TRUE(are_in_file(right, folder.path("x.npy"))) << memory;
    }
  }
}

TEST(ResumedGram, ComputesAgainWhatWasLost) {
  const Dataset data = toy_classes({.count = 100, .seed = 1});
  const std::vector<FittedKernel> kernels = {Kernel("norm(pt(t))")};
  const auto right = in_memory<double>(kernels, data, nullptr);
  const test::TempDir folder;
  const std::string path = folder.path("x.part.npy");
  ASSERT_TRUE(attempt<double>(kernels, data, nullptr, folder, {}, false));
  const std::string whole = test::read_file(path);
  // A value above the diagonal, one below it, the end, all.
  const std::size_t first = 128, row = 100 * sizeof(double);
  for (const std::size_t lost : {first + row - 8, first + 99 * row, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[lost] = static_cast<char>(damaged[lost] ^ 1);
    test::write_file(path, damaged);
    ASSERT_TRUE(attempt<double>(kernels, data, nullptr, folder, {}, false));
    EXPECT_TRUE(are_in_file(right, path)) << lost;
  }
  for (const std::string& other : {std::string(), whole.substr(0, 30'000), whole + "more"}) {
    test::write_file(path, other);
    ASSERT_TRUE(attempt<double>(kernels, data, nullptr, folder, {}, false));
    EXPECT_TRUE(are_in_file(right, path)) << other.size();
  }
}

TEST(Fingerprints, TellDataAndKernelsApart) {
  const Dataset data = toy_classes({.count = 20, .seed = 1});
  const auto labelled = [](const char* name) {
    return test::toy_data({.count = 20, .seed = 1},
                          [&](std::size_t, auto&) { return std::vector{test::of_class(name)}; });
  };
  EXPECT_EQ(fingerprint(labelled("A")), fingerprint(labelled("B")));
  EXPECT_NE(fingerprint(data), fingerprint(toy_classes({.count = 20, .seed = 2})));
  EXPECT_NE(fingerprint(data), fingerprint(toy_classes({.count = 19, .seed = 1})));
  const std::uint32_t swapped[] = {1, 0};
  const std::uint32_t straight[] = {0, 1};
  EXPECT_NE(fingerprint(data.select(swapped)), fingerprint(data.select(straight)));
  EXPECT_EQ(fingerprint(Kernel("sst()")), fingerprint(Kernel(" sst( )")));
  EXPECT_NE(fingerprint(Kernel("sst()")), fingerprint(Kernel("sst(lambda=0.3)")));
}

}  // namespace
}  // namespace espalier
