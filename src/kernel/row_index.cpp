#include "kernel/row_index.hpp"

#include <utility>

namespace espalier {

void RowIndex::add_skeletons(const std::vector<std::uint32_t>& skeleton_of, std::size_t count) {
  const std::size_t first = vertices.size();
  for (std::size_t v = 0; v < first; ++v) {
    if (skeleton_of[v] == none) continue;
    vertices[v].skeleton = static_cast<std::uint32_t>(first + skeleton_of[v]);
  }
  vertices.resize(first + count);
  skeleton_count = count;
  std::vector<std::uint64_t> begin = {0};
  std::vector<Entry> entries;
  entries.reserve(entries_.size());
  std::vector<std::uint64_t> end_of(vertices.size(), 0);  // where the last row that has it does
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    const auto row = static_cast<std::uint32_t>(i);
    for (const Entry& entry : of(i)) {
      const std::uint32_t s = vertices[entry.number].skeleton;
      if (s != none) {
        if (end_of[s] == 0) {
          const auto id = static_cast<VertexId>(forest.vertex_count() + (s - first));
          vertices[s] = {id, vertices[entry.number].key, row, false, true};
        }
        if (end_of[s] <= begin.back()) {
          entries.push_back({s, false, 0});
          end_of[s] = entries.size();
        }
        entries[end_of[s] - 1].count += entry.count;
        use(vertices[s], row);
      }
      entries.push_back(entry);
    }
    begin.push_back(entries.size());
  }
  begin_ = std::move(begin);
  entries_ = std::move(entries);
  find_last();
  for (std::size_t s = first; s < vertices.size(); ++s) count_key(vertices[s]);
}

}  // namespace espalier
