#include "base/pages.hpp"

#include <sys/mman.h>

#include <new>

namespace espalier {

void* allocate_pages(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  const bool large = bytes >= huge_page;
  const std::size_t alignment = large ? huge_page : 64;
  const std::size_t rounded = (bytes + alignment - (bytes > 0)) / alignment * alignment;
  void* const data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr) throw std::bad_alloc();
  if (large) madvise(data, rounded, MADV_HUGEPAGE);  // a hint: may fail without harm
  return data;
}

}  // namespace espalier
