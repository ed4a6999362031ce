#include "espalier/io/limited_builder.hpp"

#include <fmt/format.h>

namespace espalier {

std::string beyond_limit(std::string_view what, std::uint64_t limit, std::string_view unit,
                         std::string_view option) {
  return fmt::format("{} of more than {} {}; the option {} sets this limit", what, limit, unit,
                     option);
}

void check_parts(const ReadLimits& limits, std::size_t count, std::string_view unit,
                 const Text& text, std::size_t at) {
  if (count > limits.parts) {
    text.fail(at, beyond_limit("an example", limits.parts, unit, "max-parts"));
  }
}

void LimitedBuilder::check_closed(const Text& text, std::size_t first) const {
  if (depth() == 0) return;
  text.fail(first, fmt::format("the tree that starts here is missing {} closing bracket{}", depth(),
                               depth() == 1 ? "" : "s"));
}

void LimitedBuilder::refuse(const Text& text, std::size_t at, std::string_view label) const {
  if (label.size() > limits_.label) {
    text.fail(at, beyond_limit("a label", limits_.label, "bytes", "max-label"));
  }
  if (builder_.depth() >= limits_.depth) {
    text.fail(at, beyond_limit("a tree", limits_.depth, "levels", "max-depth"));
  }
  text.fail(at, beyond_limit("a tree", limits_.nodes, "nodes", "max-nodes"));
}

}  // namespace espalier
