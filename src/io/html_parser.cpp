#include "io/html_parser.hpp"

#include <algorithm>
#include <new>

#include "espalier/base/error.hpp"

namespace espalier {

HtmlPage::HtmlPage(std::string_view text, std::size_t memory) : left_(memory) {
  switch (parse(text)) {
    case End::complete:
      return;
    case End::out_of_memory:
      throw std::bad_alloc();
    case End::beyond_limit:
      throw Error("the page needs more than " + std::to_string(memory) +
                  " bytes to parse: it is made to grow");
  }
}

/// Gumbo is C and has no exceptions, so allocate() longjmps back to here across frames that need no
/// cleanup.
HtmlPage::End HtmlPage::parse(std::string_view text) {
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = allocate;
  options.deallocator = release;
  options.userdata = this;
  options.max_errors = 0;
  switch (setjmp(no_memory_)) {
    case static_cast<int>(End::beyond_limit):
      return End::beyond_limit;
    case static_cast<int>(End::out_of_memory):
      return End::out_of_memory;
    default:
      break;
  }
  output_ = gumbo_parse_with_options(&options, text.data(), text.size());
  return End::complete;
}

void* HtmlPage::allocate(void* page, std::size_t bytes) {
  constexpr std::size_t block = std::size_t{1} << 18;
  auto& self = *static_cast<HtmlPage*>(page);
  bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) *
          alignof(std::max_align_t);
  if (bytes > self.free_bytes_) {
    const std::size_t size = std::max(block, bytes);
    if (size > self.left_) std::longjmp(self.no_memory_, static_cast<int>(End::beyond_limit));
    self.left_ -= size;
    bool allocated = true;  // longjmp does not leave a handler in an orderly way
    try {
      self.blocks_.push_back(std::make_unique<std::byte[]>(size));
    } catch (const std::bad_alloc&) {
      allocated = false;
    }
    if (!allocated) std::longjmp(self.no_memory_, static_cast<int>(End::out_of_memory));
    self.free_ = self.blocks_.back().get();
    self.free_bytes_ = size;
  }
  void* const out = self.free_;
  self.free_ += bytes;
  self.free_bytes_ -= bytes;
  return out;
}

}  // namespace espalier
