#include "base/team.hpp"

#include <algorithm>

namespace espalier {

Team::Team(std::size_t members) {
  for (std::size_t m = 1; m < members; ++m) threads_.emplace_back([this, m] { serve(m); });
}

Team::~Team() {
  work_ = nullptr;
  ++round_;
  round_.notify_all();
}

void Team::each(std::size_t tasks,
                const std::function<void(std::size_t member, std::size_t task)>& work) {
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

void Team::serve(std::size_t member) {
  for (std::size_t seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (work_ == nullptr) return;
    take_tasks(member);
    if (--busy_ == 0) busy_.notify_one();
  }
}

void Team::take_tasks(std::size_t member) {
  for (std::size_t task; (task = next_++) < tasks_;) (*work_)(member, task);
}

}  // namespace espalier
