#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace espalier {

/// Threads that stay at hand for many short pieces of work, one after the other, each shorter than
/// starting a thread takes. For work that throws nothing; parallel() is for all other.
class Team {
 public:
  /// `members` counts the thread that calls each().
  explicit Team(std::size_t members);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t members() const { return threads_.size() + 1; }

  /// Calls work(member, task) for all tasks below `tasks`, and returns when all are done.
  void each(std::size_t tasks,
            const std::function<void(std::size_t member, std::size_t task)>& work);

 private:
  void serve(std::size_t member);
  void take_tasks(std::size_t member);

  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;  ///< nothing: go home
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> round_ = 0;  ///< rises when there is work
  std::atomic<std::size_t> busy_ = 0;   ///< threads that may still be at it
  std::vector<std::jthread> threads_;
};

}  // namespace espalier
