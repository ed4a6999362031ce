#include "kernel/row_branches.hpp"

#include <utility>

#include "base/hash.hpp"

namespace espalier {

namespace {

// Measured on questions, as constituents and as dependencies, and on programs.
constexpr std::uint32_t many_parents = 8;  ///< make a child common
constexpr std::uint32_t many_users = 4;    ///< make a skeleton pay
constexpr std::size_t rows_per_use = 512;  ///< a branch that is rarer saves nothing

}  // namespace

/// Skeletons by number, and who has them.
class RowBranches::Skeletons {
 public:
  explicit Skeletons(std::size_t vertices) : of(vertices, none) {}

  void add(std::size_t vertex, std::uint32_t stem, const std::vector<Entry>& entries) {
    std::uint64_t hash = stem;
    for (const Entry& entry : entries) {
      const std::uint64_t both = std::uint64_t{entry.branch} << 32 | entry.child;
      hash = hash::mix(hash ^ hash::key1, both ^ hash::key2);
    }
    of[vertex] = index_.find_or_add(
        hash, [&](std::uint32_t s) { return all[s].stem == stem && all[s].entries == entries; },
        [&] {
          all.push_back({stem, entries});
          return static_cast<std::uint32_t>(all.size() - 1);
        });
    ++all[of[vertex]].users;
  }

  /// Numbers those anew that pay.
  void drop_rare() {
    std::vector<std::uint32_t> number(all.size(), none);
    std::uint32_t kept = 0;
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (all[s].users < many_users) continue;
      number[s] = kept;
      all[kept++] = all[s];
    }
    all.resize(kept);
    for (std::uint32_t& s : of) s = s == none ? none : number[s];
  }

  std::vector<Skeleton> all;
  std::vector<std::uint32_t> of;  ///< per vertex, or none

 private:
  IdIndex index_;
};

RowBranches::RowBranches(RowIndex& rows, const Branches& branches, bool with_skeletons) {
  list_all(rows, branches);
  if (!with_skeletons) return;
  const std::vector<std::uint8_t> common = find_common(rows, branches);
  const Skeletons skeletons = find_skeletons(common);
  if (skeletons.all.empty()) return;
  move_to_skeletons(skeletons, common);
  rows.add_skeletons(skeletons.of, skeletons.all.size());
}

void RowBranches::list_all(const RowIndex& rows, const Branches& branches) {
  const Forest& forest = rows.forest;
  begin_.reserve(rows.vertices.size() + 1);
  stems_.reserve(rows.vertices.size());
  for (const RowIndex::Vertex& vertex : rows.vertices) {
    const auto children = forest.children(vertex.id);
    for (std::uint32_t place = 0; place < children.size(); ++place) {
      const std::uint32_t branch = branches.of(forest, vertex.id, place);
      if (branch == none) continue;
      const bool plain = forest.height(children[place]) == 1;
      const bool is_stem = branches.stems().root_above(children[place]) != none;
      if (!is_stem) entries_.push_back({branch, children[place], plain});
      if (children.size() > 1 || branches.stems().empty()) continue;
      const std::uint32_t twin = branches.twin(branch);
      if (twin != none) entries_.push_back({twin, children[place], plain});
    }
    begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
    stems_.push_back(branches.stem_above(forest, vertex.id));
  }
}

/// Per entry: whether many vertices have the child, and enough have the branch.
std::vector<std::uint8_t> RowBranches::find_common(const RowIndex& rows,
                                                   const Branches& branches) const {
  std::vector<std::uint32_t> parents(rows.forest.vertex_count(), 0);
  std::vector<std::uint32_t> alike(branches.count(), 0);
  for (const Entry& entry : entries_) {
    ++parents[entry.child];
    ++alike[entry.branch];
  }
  std::vector<std::uint8_t> common(entries_.size());
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    common[e] = parents[entries_[e].child] >= many_parents &&
                rows_per_use * alike[entries_[e].branch] >= rows.size();
  }
  return common;
}

RowBranches::Skeletons RowBranches::find_skeletons(const std::vector<std::uint8_t>& common) const {
  Skeletons out(stems_.size());
  std::vector<Entry> entries;
  for (std::size_t v = 0; v < stems_.size(); ++v) {
    entries.clear();
    for (std::uint32_t e = begin_[v]; e < begin_[v + 1]; ++e) {
      if (common[e] != 0) entries.push_back(entries_[e]);
    }
    const bool has_more = entries.size() < begin_[v + 1] - begin_[v];
    if (!entries.empty() && has_more) out.add(v, stems_[v], entries);
  }
  out.drop_rare();
  return out;
}

void RowBranches::move_to_skeletons(const Skeletons& skeletons,
                                    const std::vector<std::uint8_t>& common) {
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < skeletons.of.size(); ++v) {
    const std::uint32_t begin = std::exchange(begin_[v], kept);
    for (std::uint32_t e = begin; e < begin_[v + 1]; ++e) {
      if (skeletons.of[v] == none || common[e] == 0) entries_[kept++] = entries_[e];
    }
  }
  begin_.back() = kept;
  entries_.resize(kept);
  for (const Skeleton& skeleton : skeletons.all) {
    entries_.insert(entries_.end(), skeleton.entries.begin(), skeleton.entries.end());
    begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
    stems_.push_back(skeleton.stem);
  }
}

}  // namespace espalier
