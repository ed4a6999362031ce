#pragma once

#include <memory>
#include <mutex>

namespace espalier {

/// A value computed from its owner on first use. Thread-safe. A copy of the owner computes its own.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy&) noexcept {}
  Lazy& operator=(const Lazy& other) noexcept {
    if (this != &other) value_.reset();
    return *this;
  }
  ~Lazy() = default;

  /// make() returns a std::unique_ptr<const T>.
  template <class Make>
  const T& get(Make&& make) const {
    const std::lock_guard lock(mutex_);
    if (!value_) value_ = make();
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace espalier
