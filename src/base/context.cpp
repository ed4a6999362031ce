#include "espalier/base/context.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/cancel.hpp"

namespace espalier {

namespace {

using Clock = std::chrono::steady_clock;

/// What this thread works for, as long as it lives.
class Current {
 public:
  explicit Current(const Context& context) : before_(std::exchange(context_, &context)) {}
  ~Current() { context_ = before_; }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

  static void check() {
    constexpr std::chrono::milliseconds pause(20);
    if (context_ == nullptr || !context_->cancelled) return;
    const Clock::time_point now = Clock::now();
    if (now - asked_ < pause) return;
    asked_ = now;
    if (context_->cancelled()) throw Cancelled();
  }

 private:
  static thread_local const Context* context_;
  static thread_local Clock::time_point asked_;
  const Context* before_;
};

thread_local const Context* Current::context_ = nullptr;
thread_local Clock::time_point Current::asked_;

}  // namespace

void check_cancelled() { Current::check(); }

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
    const Current current(context);
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
