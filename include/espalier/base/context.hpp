#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "espalier/base/error.hpp"

namespace espalier {

/// How long work is done, for everything that computes: the same wherever one is passed.
struct Context {
  std::size_t threads = 0;                    ///< 0: one for each processor
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of working space, beside input and output
  std::function<void(double share)> progress =
      {};                                ///< called now and then, by one thread at a time
  std::function<bool()> cancelled = {};  ///< asked now and then; true stops with Cancelled
};

/// Thrown when Context::cancelled said so.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

/// Context::threads, with 0 replaced by the number of processors.
std::size_t thread_count(const Context& context);

/// Calls work(worker, task) for all tasks below `tasks`, in rising order as far as threads allow,
/// on `threads` workers, each numbered. The first exception stops the rest and is thrown. Reports
/// progress by the share of `cost` done.
void parallel(std::size_t tasks, const Context& context,
              const std::function<void(std::size_t worker, std::size_t task)>& work,
              const std::function<double(std::size_t task)>& cost);

}  // namespace espalier
