#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "distributed/lanes.hpp"
#include "distributed/shuffle.hpp"
#include "espalier/base/random.hpp"
#include "espalier/distributed/options.hpp"
#include "espalier/forest/label_table.hpp"

namespace espalier::distributed {

/// The order of the components of a label vector: shuffled for one side, or not.
enum Form : std::uint32_t { left_form = left_side, right_form = right_side, plain_form = 2 };

/// Vectors of +-1 have one bit per component, laid out so that one load and a shift give the signs
/// of a block: component 256 g + 8 b + l is bit 31-b of word 8 g + l.
inline std::size_t sign_words(std::size_t entries) { return (entries + 255) / 256 * lane_count; }

/// The components of one slice of a vector of +-1.
void expand_signs(const std::uint32_t* words, std::size_t size, float* out);
/// One slice of a vector of +-1, shuffled for a side.
void shuffle_signs(const Slice& slice, Side side, const std::uint32_t* from, std::uint32_t* to);

/// Label vectors, scaled by sqrt(d): of +-1 in all three orders, or those of the papers. Const
/// members may be called from many threads.
class LabelVectors {
 public:
  LabelVectors(const DistributedTreeOptions& options, const std::vector<Slice>& slices);

  /// The id of the vector of a label that keeps `arity` children; adds it if it is new.
  std::uint32_t find_or_add(std::string_view label, std::uint32_t arity);
  /// One slice of that vector, in its plain order: `buffer`, or a place that stays.
  const float* entries(std::uint32_t id, const Slice& slice, float* buffer) const;
  /// The words of one slice of that vector of +-1.
  const std::uint32_t* words(std::uint32_t id, Form form, const Slice& slice) const {
    return place(id, slice) + form * sign_words(slice.size);
  }
  std::size_t bytes() const { return words_per_label_ * sizeof(std::uint32_t) * count_; }
  void clear();

 private:
  void generate(std::string_view label, std::uint32_t arity, std::uint32_t id);
  void generate_signs(Random& random, std::uint32_t id);
  void generate_normal(Random& random, std::uint32_t id);
  float* normal(std::uint32_t id) const {
    return reinterpret_cast<float*>(chunks_[id / chunk_size_].get()) +
           id % chunk_size_ * words_per_label_;
  }
  /// Slice by slice within a chunk: a forest is evaluated in this order.
  std::uint32_t* place(std::uint32_t id, const Slice& slice) const {
    return chunks_[id / chunk_size_].get() + 3 * chunk_size_ * (slice.begin / 32) +
           3 * (id % chunk_size_) * sign_words(slice.size);
  }

  std::uint64_t seed_;
  bool signs_;
  const std::vector<Slice>* slices_;
  std::size_t words_per_label_;
  LabelTable labels_;
  std::vector<std::uint32_t> leaf_;                       ///< per label: its vector for arity 0
  std::unordered_map<std::uint64_t, std::uint32_t> ids_;  ///< by label and arity
  /// In chunks, so that growing copies nothing.
  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::size_t chunk_size_;  ///< vectors of a chunk
  std::uint32_t count_ = 0;
};

}  // namespace espalier::distributed
