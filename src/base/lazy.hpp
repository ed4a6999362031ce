#pragma once

#include <memory>
#include <mutex>

namespace espalier {

/// Something that is made of its owner when it is first asked for, by any thread. A copy of the
/// owner makes its own.
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

  /// make() gives a std::unique_ptr<const T>.
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
