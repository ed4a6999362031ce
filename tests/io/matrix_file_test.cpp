#include "espalier/io/matrix_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <numeric>

#include "espalier/io/matrix.hpp"
#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::read_file;
using test::TempDir;
using Names = std::vector<std::string>;

/// Writes 0, 1, 2, .. element by element, the last one first.
template <class T>
void count_up(MatrixFile<T>& file) {
  const auto [matrices, rows, columns] = file.shape();
  for (std::size_t n = matrices * rows * columns; n-- > 0;) {
    const T value = static_cast<T>(n);
    file.write(n / columns / rows, n / columns % rows, n % columns, {&value, 1});
  }
}

/// The values after the header.
template <class T>
std::vector<T> values_in(const std::string& bytes, std::size_t count) {
  std::vector<T> out(count);
  EXPECT_EQ(bytes.size(), 128 + count * sizeof(T));
  std::memcpy(out.data(), bytes.data() + 128, count * sizeof(T));
  return out;
}

template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> out(count);
  std::iota(out.begin(), out.end(), T{0});
  return out;
}

TEST(MatrixFiles, AppearWithAllMatricesOnCommit) {
  const TempDir folder;
  const std::string path = folder.file("x.npy", "old");
  {
    MatrixFile<float> dropped(path, {2, 3, 4});
    count_up(dropped);
    EXPECT_EQ(folder.names(), Names{"x.npy"});
  }
  EXPECT_EQ(read_file(path), "old");
  MatrixFile<float> file(path, {2, 3, 4});
  count_up(file);
  float some[2];
  file.read(1, 2, 1, some);
  EXPECT_EQ(some[0], 21);
  EXPECT_EQ(some[1], 22);
  file.commit();
  const std::string bytes = read_file(path);
  EXPECT_TRUE(bytes.find("'<f4', 'fortran_order': False, 'shape': (2, 3, 4)") < 128);
  EXPECT_EQ(values_in<float>(bytes, 24), numbers<float>(24));
  EXPECT_EQ(folder.names(), Names{"x.npy"});
}

TEST(MatrixFiles, StartWithWhatWasKept) {
  const TempDir folder;
  const std::string path = folder.path("x.npy"), kept = folder.path("x.part.npy");
  {
    MatrixFile<double> file(path, {1, 5, 7}, kept);
    count_up(file);
  }
  EXPECT_EQ(folder.names(), Names{"x.part.npy"});
  MatrixFile<double>(path, {1, 5, 7}, kept).commit();
  EXPECT_EQ(folder.names(), Names{"x.npy"});
  EXPECT_EQ(values_in<double>(read_file(path), 35), numbers<double>(35));
  MatrixFile<double> removed(path, {1, 5, 7}, kept);
  removed.remove();
  EXPECT_EQ(folder.names(), Names{"x.npy"});
}

TEST(MatrixFiles, HaveTheirSizeWhateverWasKept) {
  const TempDir folder;
  const std::string path = folder.path("x.npy");
  MatrixFile<double> file(path, {1, 2, 2}, folder.file("x.part.npy", std::string(1'000, 'x')));
  count_up(file);
  file.commit();
  EXPECT_EQ(values_in<double>(read_file(path), 4), numbers<double>(4));
}

TEST(MatrixFiles, AreWrittenRowByRow) {
  const TempDir folder;
  MatrixFile<double> file(folder.path("x"), {1, 2, 3});
  count_up(file);
  Sink tsv(folder.path("x.tsv"));
  write_tsv(tsv, file);
  tsv.commit();
  EXPECT_EQ(read_file(folder.path("x.tsv")), "0\t1\t2\n3\t4\t5\n");
  Sink npy(folder.path("x.npy"));
  write_npy(npy, file);
  npy.commit();
  file.commit();
  EXPECT_EQ(read_file(folder.path("x.npy")), read_file(folder.path("x")));
}

TEST(MatrixFiles, WithoutSpaceSayHowMuchTheyTake) {
  const TempDir folder;
  std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit less = before;
  less.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &less), 0);
  for (const char* const kept : {"", "x.part.npy"}) {
    const test::Failure failure = test::failure_of([&] {
      MatrixFile<double>(folder.path("x.npy"), {1, 300, 300},
                         *kept == '\0' ? "" : folder.path(kept));
    });
    EXPECT_TRUE(test::contains(failure.message, "x.npy: File too large: it takes 720,128 bytes"));
    EXPECT_EQ(folder.names(), Names{});
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(test::fails_with("too large for a file", [&] {
    MatrixFile<double>(folder.path("x.npy"), {1, std::size_t{1} << 40, std::size_t{1} << 40});
  }));
}

}  // namespace
}  // namespace espalier
