#include "espalier/gram/fingerprint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <vector>

#include "base/hash.hpp"
#include "espalier/gram/kernel_functions.hpp"

namespace espalier {

namespace {

using Hashes = std::vector<std::uint64_t>;

std::uint64_t pair_hash(std::uint64_t a, std::uint64_t b) {
  return hash::mix(a ^ hash::key1, b ^ hash::key2);
}

/// Of each label.
Hashes text_hashes(const LabelTable& labels) {
  Hashes out(labels.size());
  for (LabelId id = 0; id < out.size(); ++id) out[id] = hash::bytes(labels.text(id));
  return out;
}

/// Of each vertex, from its label and the hashes of its children.
Hashes subtree_hashes(const Forest& forest) {
  const Hashes labels = text_hashes(forest.labels());
  Hashes out(forest.vertex_count());
  for (VertexId v = 0; v < out.size(); ++v) {
    out[v] = pair_hash(labels[forest.label(v)], forest.children(v).size());
    for (const VertexId child : forest.children(v)) out[v] = pair_hash(out[v], out[child]);
  }
  return out;
}

/// Of the i-th vector of a column; of a sparse one in any order of its features.
std::uint64_t vector_hash(const VectorColumn& column, const Hashes& names, std::size_t i) {
  std::uint64_t out = 0;
  for (std::size_t k = column.begin[i]; k < column.begin[i + 1]; ++k) {
    const auto bits = std::bit_cast<std::uint64_t>(column.values[k]);
    out = column.dense ? pair_hash(out, bits) : out + pair_hash(names[column.features[k]], bits);
  }
  return out;
}

/// One hash per example, to which that of each slot is added: slots have no order.
class ExampleHashes {
 public:
  explicit ExampleHashes(const Dataset& data) : hashes_(data.size()) {
    std::vector<Hashes> subtrees;
    for (const auto& forest : data.forests()) subtrees.push_back(subtree_hashes(forest.value));
    for (const TreeColumn& column : data.trees()) add(column, data, subtrees[column.forest]);
    for (const VectorColumn& column : data.vectors()) add(column);
  }

  std::uint64_t all() const {
    std::uint64_t out = hashes_.size();
    for (const std::uint64_t example : hashes_) out = pair_hash(out, example);
    return out;
  }

 private:
  static std::uint64_t slot_hash(const Slot& slot) {
    return pair_hash(hash::bytes(slot.member), hash::bytes(slot.name));
  }

  void add(const TreeColumn& column, const Dataset& data, const Hashes& subtrees) {
    const Forest& forest = data.forests()[column.forest].value;
    const std::uint64_t slot = slot_hash(column.slot);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      if (column.trees[i] == none) continue;
      const VertexId root = forest.root(column.trees[i]);
      hashes_[i] += pair_hash(slot, root == none ? 0 : subtrees[root]);
    }
  }

  void add(const VectorColumn& column) {
    const std::uint64_t slot = ~slot_hash(column.slot);  // a tree and a vector may share a name
    const Hashes names = text_hashes(column.feature_names);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      if (column.present[i]) hashes_[i] += pair_hash(slot, vector_hash(column, names, i));
    }
  }

  Hashes hashes_;
};

}  // namespace

std::string fingerprint(const Dataset& data) {
  return fmt::format("{} examples {:016x}", data.size(), ExampleHashes(data).all());
}

std::string fingerprint(const FittedKernel& kernel) {
  const std::string bytes = KernelFunctions(kernel).save();
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return fmt::format("{} {:08x}", kernel.to_string(), sum);
}

}  // namespace espalier
