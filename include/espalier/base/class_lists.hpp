#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// The classes of each example, by number: one, several or none.
class ClassLists {
 public:
  /// Classes are numbered from 0; a class may have no examples.
  explicit ClassLists(std::size_t class_count) : class_count_(class_count) {}

  /// Adds an example. Throws Error if a number is not below class_count or occurs twice.
  void add(std::span<const std::uint32_t> classes);
  void add(std::uint32_t only_class) { add({&only_class, 1}); }

  std::size_t size() const { return begin_.size() - 1; }
  std::size_t class_count() const { return class_count_; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {classes_.data() + begin_[i], classes_.data() + begin_[i + 1]};
  }
  bool has(std::size_t i, std::uint32_t c) const;

  /// Whether each example has exactly one class.
  bool single() const;

  /// Number of examples of each class.
  std::vector<std::size_t> class_sizes() const;

  /// The lists of a subset of the examples.
  ClassLists select(std::span<const std::uint32_t> examples) const;

 private:
  std::size_t class_count_;
  std::vector<std::size_t> begin_ = {0};
  std::vector<std::uint32_t> classes_;
};

}  // namespace espalier
