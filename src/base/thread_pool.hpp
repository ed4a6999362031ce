#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace espalier {

/// Threads for many short parallel loops, each shorter than starting a thread takes. The work must
/// not throw; parallel() adds exceptions, cancellation and progress to a single loop.
class ThreadPool {
 public:
  /// `threads` includes the thread that calls run(). Starts fewer if the system has no more.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return threads_.size() + 1; }

  /// Calls work(worker, task) for all tasks below `tasks`, started in ascending order, and returns
  /// when all are done. Workers are numbered below size().
  void run(std::size_t tasks,
           const std::function<void(std::size_t worker, std::size_t task)>& work);

 private:
  void serve(std::size_t worker);
  void take_tasks(std::size_t worker);

  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;  ///< null: terminate
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> round_ = 0;  ///< incremented to wake the threads
  std::atomic<std::size_t> busy_ = 0;   ///< threads that have not finished the round
  std::vector<std::jthread> threads_;
};

}  // namespace espalier
