#include "espalier/base/class_lists.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/error.hpp"

namespace espalier {

void ClassLists::add(std::span<const std::uint32_t> classes) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::uint32_t c = classes[i];
    if (c >= class_count_) {
      throw Error(fmt::format("example {} has class number {}, but there are {} classes, from 0",
                              size() + 1, c, class_count_));
    }
    const auto before = classes.first(i);
    if (std::ranges::find(before, c) != before.end()) {
      throw Error(fmt::format("example {} has class number {} twice", size() + 1, c));
    }
  }
  classes_.insert(classes_.end(), classes.begin(), classes.end());
  begin_.push_back(classes_.size());
}

bool ClassLists::has(std::size_t i, std::uint32_t c) const {
  const auto classes = (*this)[i];
  return std::ranges::find(classes, c) != classes.end();
}

bool ClassLists::single() const {
  for (std::size_t i = 0; i < size(); ++i) {
    if ((*this)[i].size() != 1) return false;
  }
  return true;
}

std::vector<std::size_t> ClassLists::class_sizes() const {
  std::vector<std::size_t> out(class_count_, 0);
  for (const std::uint32_t c : classes_) ++out[c];
  return out;
}

ClassLists ClassLists::select(std::span<const std::uint32_t> examples) const {
  ClassLists out(class_count_);
  for (const std::uint32_t e : examples) {
    if (e >= size()) {
      throw Error(fmt::format("there is no example {}: only {} have classes", e, size()));
    }
    out.add((*this)[e]);
  }
  return out;
}

}  // namespace espalier
