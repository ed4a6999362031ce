#include "similarity/label_similarity.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/simd.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

ESPALIER_SIMD void cut_below(double threshold, std::span<const double> cosines, float* out) {
  for (std::size_t k = 0; k < cosines.size(); ++k) {
    const double value = std::min(cosines[k], 1.0);
    out[k] = static_cast<float>(value < threshold ? 0 : value);
  }
}

/// "n" of the word "film::n"; may be empty.
std::string_view part_of_speech(std::string_view word) {
  const std::size_t mark = word.find("::");
  return mark == word.npos ? std::string_view() : word.substr(mark + 2);
}

/// Words with their parts of speech.
struct Compound {
  std::string_view relation;
  std::string_view head;
  std::string_view modifier;
};

constexpr std::string_view word_type = "LEX##";
constexpr std::string_view compound_type = "COMP##";

/// The word of a label, if the label is a word.
std::optional<std::string_view> word_in(std::string_view label) {
  if (label.starts_with(word_type)) return label.substr(word_type.size());
  const bool typed = label.find("##") != label.npos;
  if (typed || label.find("::") == label.npos) return std::nullopt;
  return label;
}

/// "COMP##relation<head,modifier>". A comma may be a word itself, or a part of speech: the head
/// ends at the first one that comes after its part of speech has begun.
std::optional<Compound> compound_in(std::string_view label) {
  if (!label.starts_with(compound_type) || !label.ends_with('>')) return std::nullopt;
  label.remove_prefix(compound_type.size());
  const std::size_t open = label.find('<');
  if (open == label.npos) return std::nullopt;
  const std::string_view inside = label.substr(open + 1, label.size() - open - 2);
  const std::size_t mark = inside.find("::");
  const std::size_t comma = inside.find(',', mark == inside.npos ? 0 : mark + 3);
  if (comma == inside.npos) return std::nullopt;
  return Compound{label.substr(0, open), inside.substr(0, comma), inside.substr(comma + 1)};
}

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// Returns false and does nothing if the vector is 0.
bool make_unit(Vector& vector) {
  const double length = std::sqrt(dot(vector, vector));
  if (!(length > 0)) return false;
  for (double& x : vector) x /= length;
  return true;
}

Vector compose(const CompositionalTreeOptions& options, const Vector& head,
               const Vector& modifier) {
  const double both = dot(head, modifier);
  Vector out(head.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    switch (options.compose) {
      case VectorComposition::sum:
        out[k] = options.alpha * head[k] + options.beta * modifier[k];
        break;
      case VectorComposition::product:
        out[k] = head[k] * modifier[k];
        break;
      case VectorComposition::dilation:
        out[k] = head[k] + both * modifier[k];  // (h.h) h + (h.m) m, where |h| = 1
        break;
    }
  }
  return out;
}

/// std::pow is slow, and most exponents are small integers.
double power(double base, double exponent) {
  if (exponent != std::floor(exponent) || exponent > 8) return std::pow(base, exponent);
  double out = base;
  for (double k = 1; k < exponent; ++k) out *= base;
  return out;
}

}  // namespace

void for_each_word(std::string_view label, const std::function<void(std::string_view)>& visit) {
  if (const auto word = word_in(label)) visit(*word);
  if (const auto compound = compound_in(label)) {
    visit(compound->head);
    visit(compound->modifier);
  }
}

/// Assigns labels to classes.
class LabelSimilarity::Builder {
 public:
  Builder(LabelSimilarity& out, const LabelTable& labels, const SimilarityOptions& options,
          const WordVectors& vectors)
      : out_(out), options_(options), words_(vectors) {
    out_.threshold_ = options.threshold;
    out_.power_ = options.power;
    out_.dimension_ = words_.dimension;
    out_.class_of_.assign(labels.size(), none);
    out_.vector_.assign(labels.size(), none);
  }

  /// The normalised vector of a word, if it has one.
  std::optional<Vector> vector(std::string_view word) const {
    const auto found = words_.find(word);
    if (found.empty()) {
      if (options_.vectors.empty() || words_.knows(word)) return std::nullopt;
      throw Error("the vector of " + in_quotes(word) +
                  " has not been looked up: load_word_vectors() does");
    }
    Vector out(found.begin(), found.end());
    if (options_.center) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] -= static_cast<double>(words_.mean[k]);
    }
    return make_unit(out) ? std::optional(std::move(out)) : std::nullopt;
  }

  void put(LabelId label, const std::string& class_name, const Vector& vector) {
    const LabelId number = named_.intern(class_name);
    if (number == class_of_name_.size()) {
      class_of_name_.push_back(static_cast<std::uint32_t>(out_.class_count_++));
    }
    out_.class_of_[label] = class_of_name_[number];
    out_.vector_[label] = static_cast<std::uint32_t>(out_.vectors_.size() / out_.dimension_);
    for (const double x : vector) out_.vectors_.push_back(static_cast<float>(x));
  }
  void put_word(LabelId label, std::string_view word, std::string_view class_name) {
    if (const auto found = vector(word)) {
      put(label, "LEX " + std::string(class_name), *found);
    } else {
      put_alone(label);
    }
  }
  void put_alone(LabelId label) {
    out_.class_of_[label] = static_cast<std::uint32_t>(out_.class_count_++);
  }

  void put_compound(LabelId label, const Compound& compound,
                    const CompositionalTreeOptions& options) {
    std::optional<Vector> head = vector(compound.head);
    std::optional<Vector> modifier = vector(compound.modifier);
    if (!head) head = modifier;  // a missing vector is replaced by the other one
    if (!modifier) modifier = head;
    std::optional<Vector> both;
    if (head) both = compose(options, *head, *modifier);
    if (!both || !make_unit(*both)) {
      put_alone(label);
      return;
    }
    std::string name = "COMP ";
    if (options.same_relation) name += compound.relation;
    for (const std::string_view word : {compound.head, compound.modifier}) {
      name += ' ';
      name += part_of_speech(word);
    }
    put(label, name, *both);
  }

 private:
  LabelSimilarity& out_;
  const SimilarityOptions& options_;
  const WordVectors& words_;
  LabelTable named_;                          ///< the classes that have names
  std::vector<std::uint32_t> class_of_name_;  ///< their numbers
};

LabelSimilarity::LabelSimilarity(const LabelTable& labels, const SmoothedTreeOptions& options,
                                 const WordVectors& vectors) {
  Builder builder(*this, labels, options, vectors);
  for (LabelId label = 0; label < labels.size(); ++label) {
    const auto word = word_in(labels.text(label));
    word ? builder.put_word(label, *word, part_of_speech(*word)) : builder.put_alone(label);
  }
}

LabelSimilarity::LabelSimilarity(const LabelTable& labels, const CompositionalTreeOptions& options,
                                 const WordVectors& vectors) {
  Builder builder(*this, labels, options, vectors);
  for (LabelId label = 0; label < labels.size(); ++label) {
    const auto word = word_in(labels.text(label));
    if (const auto compound = compound_in(labels.text(label))) {
      builder.put_compound(label, *compound, options);
    } else if (word && options.lexical) {
      builder.put_word(label, *word, part_of_speech(*word));
    } else {
      builder.put_alone(label);
    }
  }
}

LabelSimilarity::LabelSimilarity(const LabelTable& labels, const WordsOptions& options,
                                 const WordVectors& vectors) {
  Builder builder(*this, labels, options, vectors);
  for (LabelId label = 0; label < labels.size(); ++label) {
    if (const auto word = word_in(labels.text(label))) builder.put_word(label, *word, "");
  }
}

void LabelSimilarity::similarities(std::span<const double> cosines, float* out) const {
  if (power_ == 1) {
    cut_below(threshold_, cosines, out);
    return;
  }
  for (std::size_t k = 0; k < cosines.size(); ++k) {
    const double value = cosines[k] > 0 ? power(std::min(cosines[k], 1.0), power_) : 0;
    out[k] = value < threshold_ ? 0 : static_cast<float>(value);
  }
}

}  // namespace espalier
