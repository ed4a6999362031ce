#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "espalier/base/error.hpp"
#include "espalier/base/parameter.hpp"

namespace espalier {

/// Execution settings for long-running calls: threads, memory, progress, cancellation.
struct Context {
  std::size_t threads = 0;  ///< 0: one per processor
  std::size_t memory = std::size_t{1}
                       << 30;  ///< bytes of working memory, excluding input and output
  /// Called periodically with the fraction of the work done, by one thread at a time.
  std::function<void(double fraction)> progress = {};
  /// Called periodically with a line about the work in progress, such as how far a solver is from
  /// its optimum.
  std::function<void(std::string_view line)> status = {};
  /// Called periodically; returning true aborts the call with Cancelled.
  std::function<bool()> cancelled = {};

  static void describe(auto& self, auto&& field) {
    field("threads", self.threads, "number of threads; 0: one per processor",
          {.range = {0, 1024}, .common = true});
    field("memory", self.memory, "bytes of working memory, in addition to input and output",
          {.range = {1, 0x1p53}, .common = true, .bytes = true});
  }
};

/// Thrown when Context::cancelled returned true.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

/// Context::threads, with 0 replaced by the number of processors.
std::size_t thread_count(const Context& context);

/// Calls work(worker, task) for all tasks below `tasks`, started in ascending order, on `threads`
/// numbered workers. The first exception stops the others and is rethrown. Reports progress by the
/// fraction of the total `cost` done.
void parallel(std::size_t tasks, const Context& context,
              const std::function<void(std::size_t worker, std::size_t task)>& work,
              const std::function<double(std::size_t task)>& cost);

}  // namespace espalier
