#include "espalier/base/context.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace espalier {

std::size_t thread_count(const Context& context) {
  if (context.threads > 0) return context.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

void parallel(std::size_t tasks, const Context& context,
              const std::function<void(std::size_t worker, std::size_t task)>& work,
              const std::function<double(std::size_t task)>& cost) {
  double total = 0;
  for (std::size_t t = 0; t < tasks; ++t) total += cost(t);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;  // guards what follows
  double done = 0;
  std::exception_ptr failure;

  const auto run = [&](std::size_t worker) {
    for (std::size_t task; !stop && (task = next++) < tasks;) {
      try {
        if (context.cancelled && context.cancelled()) throw Cancelled();
        work(worker, task);
        const std::lock_guard lock(mutex);
        done += cost(task);
        if (context.progress) context.progress(total > 0 ? done / total : 1);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        stop = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t workers = std::min(thread_count(context), std::max<std::size_t>(tasks, 1));
    try {
      for (std::size_t w = 1; w < workers; ++w) threads.emplace_back(run, w);
    } catch (const std::system_error&) {
      // The system has no more threads, or no memory for one: those that there are do all tasks.
    }
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace espalier
