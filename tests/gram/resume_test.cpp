// Matrices that are interrupted and gone on with.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "espalier/gram/fingerprint.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/io/part_file.hpp"
#include "model/toy_data.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::toy_classes;

/// Computes matrices that are kept in a file; if `interrupted`, only until it has grown.
template <class T>
std::optional<std::vector<Matrix<T>>> attempt(std::span<const FittedKernel> kernels,
                                              const Dataset& rows, const Dataset* columns,
                                              const std::string& path, std::size_t threads,
                                              bool interrupted) {
  PartFile part(path, "test");
  std::vector<Matrix<T>> out;
  std::vector<T*> outputs;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    out.emplace_back(rows.size(), columns != nullptr ? columns->size() : rows.size());
    outputs.push_back(out.back().data());
  }
  Context context{.threads = threads};
  const std::uintmax_t before = std::filesystem::file_size(path);
  if (interrupted) context.cancelled = [&] { return std::filesystem::file_size(path) > before; };
  try {
    gram_into<T>(kernels, rows, columns, outputs, context, &part);
  } catch (const Cancelled&) {
    return {};
  }
  return out;
}

template <class T>
void expect_same_after_interruptions(const char* expression, const Dataset& rows,
                                     const Dataset* columns) {
  const std::vector<FittedKernel> kernels = sweep(expression);
  const auto right = columns != nullptr ? gram<T>(std::span(kernels), rows, *columns)
                                        : gram<T>(std::span(kernels), rows);
  const test::TempDir folder;
  std::optional<std::vector<Matrix<T>>> found;
  std::size_t interruptions = 0;
  for (; !found; ++interruptions) {
    ASSERT_LT(interruptions, 200U);
    found = attempt<T>(kernels, rows, columns, folder.path("x.part"), 1 + interruptions % 3, true);
  }
  EXPECT_GT(interruptions, 3U);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::size_t cells = right[k].rows() * right[k].columns();
    EXPECT_TRUE(std::equal(right[k].data(), right[k].data() + cells, (*found)[k].data()))
        << expression << " " << k;
  }
  // Now the file has everything.
  const std::uintmax_t size = std::filesystem::file_size(folder.path("x.part"));
  EXPECT_TRUE(attempt<T>(kernels, rows, columns, folder.path("x.part"), 2, false));
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
