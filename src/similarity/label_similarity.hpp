#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/data/word_vectors.hpp"
#include "espalier/kernel/options.hpp"

namespace espalier {

// Labels are typed as in "LEX##film::n", a word with its part of speech, and
// "COMP##nsubj<like::v,film::n>", a relation with head and modifier; "film::n" is a word too.
// docs/sentences.md describes them.

/// The words whose vectors a kernel may need: that of the label itself, and those of a composition.
void for_each_word(std::string_view label, const std::function<void(std::string_view)>& visit);

/// Which labels may be similar without being equal, and the vectors that define their similarity.
///
/// Labels are partitioned into classes: labels with a vector by part of speech (compositions by
/// both parts of speech, and by relation if the kernel requires it); every other label is a class
/// of its own. Labels of different classes never match; the similarity of a label with itself is 1.
class LabelSimilarity {
 public:
  /// Throws Error if a word has not been looked up in the vectors.
  LabelSimilarity(const LabelTable& labels, const SmoothedTreeOptions& options,
                  const WordVectors& vectors);
  LabelSimilarity(const LabelTable& labels, const CompositionalTreeOptions& options,
                  const WordVectors& vectors);
  /// Puts all words into one class; other labels have no class.
  LabelSimilarity(const LabelTable& labels, const WordsOptions& options,
                  const WordVectors& vectors);

  std::size_t label_count() const { return class_of_.size(); }
  std::size_t class_count() const { return class_count_; }
  /// Numbered from 0; none for a label that matches nothing.
  std::uint32_t class_of(LabelId label) const { return class_of_[label]; }
  std::size_t dimension() const { return dimension_; }
  /// Whether the label has a vector. If not, it is the only label of its class.
  bool has_vectors(LabelId label) const { return vector_[label] != none; }
  /// Normalised to length 1.
  std::span<const float> vector(LabelId label) const {
    return {vectors_.data() + vector_[label] * dimension_, dimension_};
  }
  /// Maps the cosines of pairs of different labels of a class to similarities, elementwise.
  void similarities(std::span<const double> cosines, float* out) const;

 private:
  class Builder;

  std::size_t class_count_ = 0;
  std::size_t dimension_ = 0;
  double threshold_;
  double power_;
  std::vector<std::uint32_t> class_of_;  ///< per label
  std::vector<std::uint32_t> vector_;    ///< per label: in vectors_, or none
  std::vector<float> vectors_;
};

}  // namespace espalier
