#include "base/thread_pool.hpp"

#include <new>
#include <system_error>

namespace espalier {

ThreadPool::ThreadPool(std::size_t threads) {
  try {
    for (std::size_t t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
  } catch (const std::system_error&) {
    // No more threads: those that were created do all tasks.
  } catch (const std::bad_alloc&) {
    // No memory for more: likewise. Leaving here would wait for the threads for ever.
  }
}

ThreadPool::~ThreadPool() {
  work_ = nullptr;
  ++round_;
  round_.notify_all();
}

void ThreadPool::run(std::size_t tasks,
                     const std::function<void(std::size_t worker, std::size_t task)>& work) {
  work_ = &work;
  tasks_ = tasks;
  next_ = 0;
  if (!threads_.empty() && tasks > 1) {
    busy_ = threads_.size();
    ++round_;
    round_.notify_all();
  }
  take_tasks(0);
  for (std::size_t busy; (busy = busy_) != 0;) busy_.wait(busy);
}

void ThreadPool::serve(std::size_t worker) {
  for (std::size_t seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (work_ == nullptr) return;
    take_tasks(worker);
    if (--busy_ == 0) busy_.notify_one();
  }
}

void ThreadPool::take_tasks(std::size_t worker) {
  for (std::size_t task; (task = next_++) < tasks_;) (*work_)(worker, task);
}

}  // namespace espalier
