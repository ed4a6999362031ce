#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "espalier/base/error.hpp"

namespace espalier {

// Serialises values. A type lists its members once, in
//     template <class Archive> void archive(Archive& a, T& value) { a(value.x, value.y); }
// and that list serves both directions. Numbers are little-endian.
static_assert(std::endian::native == std::endian::little, "files are little-endian");

template <class T>
concept ArchiveNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ArchiveWriter {
 public:
  static constexpr bool reading = false;

  template <class... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void raw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  template <ArchiveNumber T>
  void write(T value) {
    raw(&value, sizeof value);
  }
  void write(const std::string& text) {
    write(static_cast<std::uint64_t>(text.size()));
    raw(text.data(), text.size());
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(static_cast<std::uint64_t>(values.size()));
    if constexpr (ArchiveNumber<T>) {
      raw(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) write(value);
    }
  }
  template <class T>
  void write(const std::optional<T>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <class T>
  requires(std::is_class_v<T>) void write(const T& value) {
    archive(*this, const_cast<T&>(value));  // NOLINT: the list is the same for reading
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  static constexpr bool reading = true;

  explicit ArchiveReader(std::span<const char> bytes) : bytes_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  static constexpr std::size_t deepest = 200;  ///< kernels within kernels

  void raw(void* data, std::size_t size) {
    if (size > bytes_.size()) throw Error("it ends too early");
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  /// Never more elements than remaining bytes, so that a corrupt size cannot exhaust the memory.
  std::size_t count(std::size_t size_of_one) {
    std::uint64_t count = 0;
    read(count);
    if (count > bytes_.size() / size_of_one) throw Error("it ends too early");
    return static_cast<std::size_t>(count);
  }
  template <ArchiveNumber T>
  void read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      raw(&byte, 1);
      value = byte != 0;
    } else {
      raw(&value, sizeof value);
    }
  }
  void read(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <class T>
  void read(std::vector<T>& values) {
    if constexpr (ArchiveNumber<T>) {
      values.resize(count(sizeof(T)));
      raw(values.data(), values.size() * sizeof(T));
    } else {
      const std::size_t size = count(1);
      values.clear();
      for (std::size_t i = 0; i < size; ++i) read(values.emplace_back());
    }
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool there = false;
    read(there);
    value.reset();
    if (there) read(value.emplace());
  }
  template <class T>
  requires(std::is_class_v<T>) void read(T& value) {
    if (++depth_ > deepest) throw Error("it is nested too deep");
    archive(*this, value);
    --depth_;
  }

  std::span<const char> bytes_;
  std::size_t depth_ = 0;
};

}  // namespace espalier
