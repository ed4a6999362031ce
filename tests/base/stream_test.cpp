#include "base/stream.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace espalier {
namespace {

template <class T>
void expect_copies() {
  std::vector<T> from(100);
  std::iota(from.begin(), from.end(), T(1));
  for (std::size_t begin = 0; begin < 17; ++begin) {
    for (std::size_t size = 0; size < 60; ++size) {
      std::vector<T> to(100, T(-1));
      stream_copy(from.data() + 3, size, to.data() + begin);
      streams_done();
      for (std::size_t k = 0; k < to.size(); ++k) {
        const bool inside = k >= begin && k < begin + size;
        ASSERT_EQ(to[k], inside ? from[3 + k - begin] : T(-1)) << begin << ' ' << size << ' ' << k;
      }
    }
  }
}

TEST(StreamCopy, CopiesFromAndToAnyPlace) {
  expect_copies<double>();
  expect_copies<float>();
}

}  // namespace
}  // namespace espalier
