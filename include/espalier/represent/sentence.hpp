#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

/// A word of a sentence in the columns of CoNLL-U. The word with the id i is words[i - 1] of its
/// sentence. "_" stands for what is not known.
struct Word {
  std::string form;
  std::string lemma = "_";
  std::string upos = "_";
  std::string xpos = "_";
  std::string feats = "_";
  std::uint32_t head = 0;  ///< id of the word that it depends on; 0: it is the root
  std::string deprel = "_";
  std::string deps = "_";
  std::string misc = "_";
  std::vector<std::string> columns;  ///< those after the tenth
  friend bool operator==(const Word&, const Word&) = default;
};

/// A sentence with its dependencies, and what is known about it ("sent_id", "text", ..).
struct Sentence {
  std::vector<Word> words;
  std::vector<std::pair<std::string, std::string>> metadata;

  /// The value of that key, or null.
  const std::string* find(std::string_view key) const;
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// Why the heads of a sentence make no tree, and the index of the word to blame.
struct HeadFault {
  std::size_t word = 0;
  std::string message;
};

/// The first fault of the heads: one out of range, a second root, none, a cycle. Linear in the
/// number of words.
std::optional<HeadFault> find_head_fault(const Sentence& sentence);

/// Who depends on whom, by index. Immutable; heads that make no tree are an Error.
class Dependents {
 public:
  static constexpr std::uint32_t no_head = std::numeric_limits<std::uint32_t>::max();

  explicit Dependents(const Sentence& sentence);

  std::uint32_t root() const { return root_; }
  /// The word that this one depends on; no_head for the root.
  std::uint32_t head(std::uint32_t word) const { return heads_[word]; }
  /// The words that depend on this one, in the order of the sentence.
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
