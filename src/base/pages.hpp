#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace espalier {

/// Allocates uninitialised memory, in huge pages if it is large, to avoid page faults. To be freed
/// by std::free. Throws std::bad_alloc.
void* allocate_pages(std::size_t bytes);

/// An array in such memory, for types that need no destructor.
template <class T>
class PageArray {
 public:
  PageArray() = default;
  explicit PageArray(std::size_t size)
      : size_(size), data_(static_cast<T*>(allocate_pages(size * sizeof(T)))) {}

  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T[], Free> data_;
};

}  // namespace espalier
