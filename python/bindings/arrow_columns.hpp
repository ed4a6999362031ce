#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html): how Arrow
/// libraries lend each other their arrays. Its structs are an ABI.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
}

namespace espalier::python {

/// Strings where Arrow keeps them: string, large_string, string_view, the same as binary, and
/// dictionaries of these. Nothing is copied. The owner of the array must outlive this.
class ArrowStrings {
 public:
  /// Two capsules, as __arrow_c_array__() returns them. Throws Error for arrays of another type.
  explicit ArrowStrings(const nanobind::tuple& capsules);

  std::size_t size() const { return static_cast<std::size_t>(array_->length); }
  /// Nothing where the array has a null.
  std::optional<std::string_view> operator[](std::size_t row) const;

 private:
  enum class Layout { offsets32, offsets64, views };

  std::optional<std::string_view> value(const ArrowArray& array, std::int64_t at) const;
  std::int64_t dictionary_index(std::int64_t at) const;

  const ArrowArray* array_;
  char index_format_ = 0;  ///< of a dictionary; otherwise 0
  Layout layout_;
};

}  // namespace espalier::python
