#pragma once

#include <gumbo.h>

#include <csetjmp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace espalier {

/// A page parsed by gumbo, which follows the HTML standard even for broken pages, but has no limits
/// and frees its tree recursively. So it gets its memory from an arena here, which is freed at once
/// and ends parsing when its limit is reached.
class HtmlPage {
 public:
  /// `text` must outlive the page. Throws Error if the parser needs more than `memory` bytes,
  /// and std::bad_alloc if there is less.
  HtmlPage(std::string_view text, std::size_t memory);

  const GumboNode& root() const { return *output_->root; }

 private:
  static void* allocate(void* page, std::size_t bytes);
  static void release(void*, void*) {}
  /// How parsing ended.
  enum class End { complete, beyond_limit, out_of_memory };
  End parse(std::string_view text);

  std::size_t left_;  ///< bytes that may still be allocated
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* free_ = nullptr;  ///< the rest of the last block
  std::size_t free_bytes_ = 0;
  std::jmp_buf no_memory_{};
  GumboOutput* output_ = nullptr;
};

}  // namespace espalier
