#include "distributed/label_vectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "base/simd.hpp"
#include "espalier/base/random.hpp"

namespace espalier::distributed {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return h;
}

template <Side side>
ESPALIER_INLINE void shuffle_blocks(const Slice& slice, const std::uint32_t* from,
                                    std::uint32_t* to) {
  const std::uint32_t* const order = slice.order[side].data();
  for (std::size_t first = 0; first < slice.blocks(); first += 32) {
    Words out = {};
    const std::size_t end = std::min(first + 32, slice.blocks());
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t source = order[i] / lane_count;
      const Words block = (load(from + source / 32 * lane_count) << (source % 32)) & sign_bit;
      out |= shuffled_lanes<side>(block) >> (i - first);
    }
    store(to + first / 32 * lane_count, out);
  }
}

ESPALIER_SIMD void shuffle_blocks(const Slice& slice, Side side, const std::uint32_t* from,
                                  std::uint32_t* to) {
  if (side == left_side) {
    shuffle_blocks<left_side>(slice, from, to);
  } else {
    shuffle_blocks<right_side>(slice, from, to);
  }
}

/// The position of the sign of a component.
struct Place {
  explicit Place(std::size_t entry)
      : word(entry / 256 * lane_count + entry % lane_count), bit(31 - entry % 256 / lane_count) {}
  std::size_t word;
  std::size_t bit;
};

void shuffle_entries(const Slice& slice, Side side, const std::uint32_t* from, std::uint32_t* to) {
  std::fill_n(to, sign_words(slice.size), 0U);
  for (std::size_t i = 0; i < slice.padded_size(); ++i) {
    const Place source(slice.order[side][i]), target(i);
    to[target.word] |= (from[source.word] >> source.bit & 1) << target.bit;
  }
}

/// Normally distributed, by operations that are exact or correctly rounded, so that the bits are
/// the same on every machine: the number of ones in 256 random bits has the mean 128 and the
/// standard deviation 8; a uniform number fills the gaps, and adds 1/12 to the variance.
double normal_number(Random& random) {
  int ones = 0;
  for (int i = 0; i < 4; ++i) ones += std::popcount(random.next());
  return ones - 128 + (random.uniform() - 0.5);
}

}  // namespace

void shuffle_signs(const Slice& slice, Side side, const std::uint32_t* from, std::uint32_t* to) {
  if (slice.whole_blocks) {
    shuffle_blocks(slice, side, from, to);
  } else {
    shuffle_entries(slice, side, from, to);
  }
}

void expand_signs(const std::uint32_t* words, std::size_t size, float* out) {
  for (std::size_t i = 0; i < size; ++i) {
    const Place place(i);
    out[i] = (words[place.word] >> place.bit & 1) != 0 ? -1.0F : 1.0F;
  }
}

LabelVectors::LabelVectors(const DistributedTreeOptions& options, const std::vector<Slice>& slices)
    : seed_(options.seed),
      signs_(options.recipe == Recipe::signs),
      slices_(&slices),
      words_per_label_(signs_ ? 3 * sign_words(options.dim) : options.dim),
      chunk_size_(
          std::max<std::size_t>(1, chunk_bytes / (words_per_label_ * sizeof(std::uint32_t)))) {}

std::uint32_t LabelVectors::find_or_add(std::string_view label, std::uint32_t arity) {
  const LabelId text = labels_.intern(label);
  if (text == leaf_.size()) leaf_.push_back(none);
  std::uint32_t& id = arity == 0
                          ? leaf_[text]
                          : ids_.try_emplace(std::uint64_t{arity} << 32 | text, none).first->second;
  if (id == none) {
    if (count_ % chunk_size_ == 0) {
      chunks_.push_back(
          std::make_unique_for_overwrite<std::uint32_t[]>(chunk_size_ * words_per_label_));
    }
    id = count_++;
    generate(label, arity, id);
  }
  return id;
}

void LabelVectors::generate(std::string_view label, std::uint32_t arity, std::uint32_t id) {
  const std::uint64_t named = Random(Random(seed_).next() ^ fnv1a(label)).next();
  Random random(Random(named + arity).next());
  if (signs_) {
    generate_signs(random, id);
  } else {
    generate_normal(random, id);
  }
}

void LabelVectors::generate_signs(Random& random, std::uint32_t id) {
  for (const Slice& slice : *slices_) {
    const std::size_t words = sign_words(slice.size);
    std::uint32_t* const forms = place(id, slice);
    std::uint32_t* const plain = forms + plain_form * words;
    for (std::size_t w = 0; w < words; w += 2) {
      const std::uint64_t bits = random.next();
      plain[w] = static_cast<std::uint32_t>(bits);
      plain[w + 1] = static_cast<std::uint32_t>(bits >> 32);
    }
    for (const Side side : {left_side, right_side}) {
      shuffle_signs(slice, side, plain, forms + side * words);
    }
  }
}

void LabelVectors::generate_normal(Random& random, std::uint32_t id) {
  const std::span<float> out(normal(id), words_per_label_);
  std::vector<double> values(out.size());
  double square = 0;
  for (double& value : values) {
    value = normal_number(random);
    square += value * value;
  }
  // Of length 1, times sqrt(d).
  const double factor = std::sqrt(static_cast<double>(values.size()) / square);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(values[i] * factor);
}

const float* LabelVectors::entries(std::uint32_t id, const Slice& slice, float* buffer) const {
  if (!signs_) return normal(id) + slice.begin;
  expand_signs(words(id, plain_form, slice), slice.size, buffer);
  return buffer;
}

void LabelVectors::clear() {
  labels_ = {};
  leaf_.clear();
  ids_.clear();
  chunks_.clear();
  count_ = 0;
}

}  // namespace espalier::distributed
