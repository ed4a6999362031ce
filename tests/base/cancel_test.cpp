#include "base/cancel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "espalier/base/context.hpp"

namespace espalier {
namespace {

double one(std::size_t) { return 1; }

/// Works until it is cancelled, for ten seconds at most.
void work_on() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < end) {
    check_cancelled();
    std::this_thread::yield();
  }
}

TEST(CheckCancelled, StopsInTheMiddleOfATaskOnAllThreads) {
  for (const std::size_t threads : {1, 3}) {
    std::atomic<int> started = 0;
    Context context;
    context.threads = threads;
    context.cancelled = [&] { return started == static_cast<int>(threads); };
    const auto task = [&](std::size_t, std::size_t) {
      // The last one to start is only cancelled inside.
      ++started;
      work_on();
      ADD_FAILURE() << "a task came to its end";
    };
    EXPECT_THROW(parallel(threads, context, task, one), Cancelled);
  }
}

TEST(CheckCancelled, DoesNothingOutsideOfWork) {
  Context context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(parallel(
                   1, context, [](std::size_t, std::size_t) {}, one),
               Cancelled);
  EXPECT_NO_THROW(check_cancelled());
  context.cancelled = nullptr;
  parallel(
      1, context, [](std::size_t, std::size_t) { check_cancelled(); }, one);
}

}  // namespace
}  // namespace espalier
