#include "espalier/base/context.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/cancel.hpp"
#include "base/thread_pool.hpp"

namespace espalier {

namespace {

using Clock = std::chrono::steady_clock;

/// Sets the context of this thread for the lifetime of the object.
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
  std::atomic<bool> stop = false;
  std::mutex mutex;  // guards the variables below
  double done = 0;
  std::exception_ptr failure;

  ThreadPool pool(std::min(thread_count(context), tasks));
  pool.run(tasks, [&](std::size_t worker, std::size_t task) {
    if (stop) return;
    const Current current(context);
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
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace espalier
