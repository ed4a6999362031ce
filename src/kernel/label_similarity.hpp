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

/// The words that a kernel may need vectors of: those in the label itself, and in compositions.
void for_each_word(std::string_view label, const std::function<void(std::string_view)>& visit);

/// Which labels may be similar without being equal, and the vectors that tell how much.
///
/// Labels fall into classes: those that have a vector with the others of the same part of speech
/// (for compositions: of both, and of the same relation if the kernel asks for that), every other
/// label alone. Labels of different classes never match; a label matches itself with 1.
class LabelSimilarity {
 public:
  LabelSimilarity(const LabelTable& labels, const SmoothedTreeOptions& options);
  LabelSimilarity(const LabelTable& labels, const CompositionalTreeOptions& options);
  /// All words in one class, all other labels in none.
  LabelSimilarity(const LabelTable& labels, const WordsOptions& options);

  std::size_t label_count() const { return class_of_.size(); }
  std::size_t class_count() const { return class_count_; }
  /// Rising from 0; none for a label that matches nothing.
  std::uint32_t class_of(LabelId label) const { return class_of_[label]; }
  std::size_t dimension() const { return dimension_; }
  /// Whether there are vectors in the class. If not, it has one label.
  bool has_vectors(LabelId label) const { return vector_[label] != none; }
  /// Of length 1.
  std::span<const float> vector(LabelId label) const {
    return {vectors_.data() + vector_[label] * dimension_, dimension_};
  }
  /// What two different labels of a class are worth that have such a cosine, one by one.
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
