#include "arrow_columns.hpp"

#include <cstring>
#include <string>

#include "espalier/base/error.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

template <class T>
const T* pointer_in(nb::handle capsule, const char* name) {
  auto* const out = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (out == nullptr) nb::raise_python_error();
  return out;
}

bool is_null(const ArrowArray& array, std::int64_t at) {
  const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  return bits != nullptr && (bits[at / 8] >> (at % 8) & 1) == 0;
}

template <class T>
T element(const void* buffer, std::int64_t at) {
  T out;
  std::memcpy(&out, static_cast<const char*>(buffer) + at * static_cast<std::int64_t>(sizeof(T)),
              sizeof(T));
  return out;
}

template <class Offset>
std::string_view between_offsets(const ArrowArray& array, std::int64_t at) {
  const auto begin = element<Offset>(array.buffers[1], at);
  const auto end = element<Offset>(array.buffers[1], at + 1);
  return {static_cast<const char*>(array.buffers[2]) + begin,
          static_cast<std::size_t>(end - begin)};
}

/// A view is 16 bytes: the length, and up to 12 bytes or prefix, buffer and offset.
std::string_view viewed(const ArrowArray& array, std::int64_t at) {
  const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * at;
  const auto length = element<std::int32_t>(view, 0);
  if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
  const auto buffer = element<std::int32_t>(view, 2);
  const auto offset = element<std::int32_t>(view, 3);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + offset,
          static_cast<std::size_t>(length)};
}

}  // namespace

ArrowStrings::ArrowStrings(const nb::tuple& capsules)
    : array_(pointer_in<ArrowArray>(capsules[1], "arrow_array")) {
  const auto* schema = pointer_in<ArrowSchema>(capsules[0], "arrow_schema");
  if (schema->dictionary != nullptr) {
    index_format_ = schema->format[0];
    schema = schema->dictionary;
  }
  const std::string_view format = schema->format;
  if (format == "u" || format == "z") {
    layout_ = Layout::offsets32;
  } else if (format == "U" || format == "Z") {
    layout_ = Layout::offsets64;
  } else if (format == "vu" || format == "vz") {
    layout_ = Layout::views;
  } else {
    throw Error("a column of strings is wanted, not one of Arrow's type '" + std::string(format) +
                "'");
  }
}

std::optional<std::string_view> ArrowStrings::operator[](std::size_t row) const {
  const std::int64_t at = array_->offset + static_cast<std::int64_t>(row);
  if (index_format_ == 0) return value(*array_, at);
  if (is_null(*array_, at)) return {};
  const ArrowArray& words = *array_->dictionary;
  return value(words, words.offset + dictionary_index(at));
}

std::optional<std::string_view> ArrowStrings::value(const ArrowArray& array,
                                                    std::int64_t at) const {
  if (is_null(array, at)) return {};
  switch (layout_) {
    case Layout::offsets32:
      return between_offsets<std::int32_t>(array, at);
    case Layout::offsets64:
      return between_offsets<std::int64_t>(array, at);
    case Layout::views:
      break;
  }
  return viewed(array, at);
}

std::int64_t ArrowStrings::dictionary_index(std::int64_t at) const {
  const void* const indices = array_->buffers[1];
  switch (index_format_) {
    case 'c':
      return element<std::int8_t>(indices, at);
    case 'C':
      return element<std::uint8_t>(indices, at);
    case 's':
      return element<std::int16_t>(indices, at);
    case 'S':
      return element<std::uint16_t>(indices, at);
    case 'i':
      return element<std::int32_t>(indices, at);
    case 'I':
      return element<std::uint32_t>(indices, at);
    default:
      return element<std::int64_t>(indices, at);
  }
}

}  // namespace espalier::python
