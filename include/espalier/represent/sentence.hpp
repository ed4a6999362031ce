#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

/// A word of a sentence with the columns of CoNLL-U. The word with id i is words[i - 1] of its
/// sentence. "_" means unspecified.
struct Word {
  std::string form;
  std::string lemma = "_";
  std::string upos = "_";
  std::string xpos = "_";
  std::string feats = "_";
  std::uint32_t head = 0;  ///< id of the head; 0 for the root
  std::string deprel = "_";
  std::string deps = "_";
  std::string misc = "_";
  std::vector<std::string> columns;  ///< those after the tenth
  friend bool operator==(const Word&, const Word&) = default;
};

/// A dependency parse with metadata ("sent_id", "text", ..).
struct Sentence {
  std::vector<Word> words;
  std::vector<std::pair<std::string, std::string>> metadata;

  /// The value of that key, or null.
  const std::string* find(std::string_view key) const;
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// Why the heads of a sentence do not form a tree, and the index of the offending word.
struct HeadFault {
  std::size_t word = 0;
  std::string message;
};

/// The first error in the heads: out of range, a second root, no root, or a cycle. Linear in the
/// number of words.
std::optional<HeadFault> find_head_fault(const Sentence& sentence);

/// The dependency tree by word index. Immutable. Throws Error if the heads do not form a tree.
class Dependents {
 public:
  static constexpr std::uint32_t no_head = std::numeric_limits<std::uint32_t>::max();

  explicit Dependents(const Sentence& sentence);

  std::uint32_t root() const { return root_; }
  /// The head of a word; no_head for the root.
  std::uint32_t head(std::uint32_t word) const { return heads_[word]; }
  /// The dependents of a word, in sentence order.
  const std::uint32_t* begin(std::uint32_t word) const { return list_.data() + begin_[word]; }
  const std::uint32_t* end(std::uint32_t word) const { return list_.data() + begin_[word + 1]; }
  std::size_t size() const { return heads_.size(); }
  /// All words, heads before their dependents.
  std::vector<std::uint32_t> top_down() const;

 private:
  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> list_;
};

}  // namespace espalier
