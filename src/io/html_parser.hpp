#pragma once

#include <gumbo.h>

#include <csetjmp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace espalier {

/// A page as gumbo sees it. Gumbo follows the HTML standard through any broken page, but has no
/// limits, and frees a tree by recursion. So its memory comes from here: it is freed at once, and
/// parsing breaks off when it needs more than it may.
class HtmlPage {
 public:
  /// `text` must outlive the page. Throws Error if the parser needs more than `memory` bytes.
  HtmlPage(std::string_view text, std::size_t memory);

  const GumboNode& root() const { return *output_->root; }

 private:
  static void* allocate(void* page, std::size_t bytes);
  static void release(void*, void*) {}
  bool parse(std::string_view text);

  std::size_t left_;  ///< bytes that may still be allocated
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* free_ = nullptr;  ///< the rest of the last block
  std::size_t free_bytes_ = 0;
  std::jmp_buf no_memory_{};
  GumboOutput* output_ = nullptr;
};

}  // namespace espalier
