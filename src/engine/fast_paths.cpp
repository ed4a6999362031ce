#include "engine/fast_paths.hpp"

#include <cstdlib>
#include <string_view>

namespace espalier {

const FastPaths::Switch FastPaths::switches[9] = {
    {"batches", &FastPaths::batches, true},
    {"few_matches", &FastPaths::few_matches, false},
    {"few_columns", &FastPaths::few_columns, true},
    {"tables", &FastPaths::tables, false},
    {"short_ranges", &FastPaths::short_ranges, true},
    {"kept_sums", &FastPaths::kept_sums, true},
    {"single_columns", &FastPaths::single_columns, true},
    {"narrow_outputs", &FastPaths::narrow_outputs, true},
    {"short_counts", &FastPaths::short_counts, true},
};

FastPaths& FastPaths::used() {
  static FastPaths paths = [] {
    FastPaths out;
    const char* const without = std::getenv("ESPALIER_WITHOUT");
    for (const Switch& each : switches) {
      if (without != nullptr && std::string_view(without) == each.name) out.*each.path = false;
    }
    return out;
  }();
  return paths;
}

}  // namespace espalier
