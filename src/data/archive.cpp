#include "data/archive.hpp"

namespace espalier {

// Columns without their content, which is archived with the examples.

template <class Archive>
void archive(Archive& a, Slot& slot) {
  a(slot.member, slot.name);
}

template <class Archive>
void archive(Archive& a, TreeColumn& column) {
  a(column.slot);
}

template <class Archive>
void archive(Archive& a, VectorColumn& column) {
  a(column.slot, column.dense, column.dimension);
}

template <class Archive>
void archive(Archive& a, TextColumn& column) {
  a(column.slot);
}

Tree tree_from(std::string_view text, const std::vector<std::uint32_t>& lengths,
               const std::vector<std::uint32_t>& children) {
  const auto check = [](bool good) {
    if (!good) throw Error("a tree is damaged");
  };
  check(lengths.size() == children.size());
  Tree tree;
  TreeBuilder builder;
  builder.start(tree);
  std::vector<std::uint32_t> missing;  // children of the open nodes
  for (std::size_t node = 0; node < lengths.size(); ++node) {
    check(lengths[node] <= text.size() && (node == 0 || !missing.empty()));
    if (!missing.empty()) --missing.back();
    builder.open(text.substr(0, lengths[node]));
    text.remove_prefix(lengths[node]);
    missing.push_back(children[node]);
    while (!missing.empty() && missing.back() == 0) {
      builder.close();
      missing.pop_back();
    }
  }
  check(missing.empty() && text.empty());
  return tree;
}

std::string Dataset::save() const {
  ArchiveWriter out;
  out(trees_, vectors_, texts_, static_cast<std::uint64_t>(size_));
  for (std::size_t i = 0; i < size_; ++i) out(example(i));
  return out.bytes();
}

Dataset Dataset::load(std::string_view bytes) {
  ArchiveReader in({bytes.data(), bytes.size()});
  Dataset out;
  std::uint64_t size = 0;
  in(out.trees_, out.vectors_, out.texts_, size);
  for (TreeColumn& column : out.trees_) column.forest = out.forest_named(column.slot.name);
  for (VectorColumn& column : out.vectors_) column.begin = {0};
  Example example;
  for (std::uint64_t i = 0; i < size; ++i) {
    in(example);
    out.add(example);
  }
  if (!in.at_end()) throw Error("it is longer than it should be");
  return out;
}

}  // namespace espalier
