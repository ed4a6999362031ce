#include "espalier/represent/pair_features.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "espalier/represent/relations.hpp"
#include "represent/lower_case.hpp"
#include "represent/word_labels.hpp"

namespace espalier {

namespace {

std::string word_text(const Word& word) {
  std::string out;
  append_lower_case(out, word.lemma == "_" ? word.form : word.lemma);
  return out;
}

/// The words of one side, without punctuation.
struct Side {
  std::vector<const Word*> content;
  std::vector<std::string> words;
  std::set<std::string> distinct, distinct_content, bigrams;

  explicit Side(std::span<const Word> all) {
    for (const Word& word : all) {
      if (is_punctuation_mark(word)) continue;
      words.push_back(word_text(word));
      distinct.insert(words.back());
      if (words.size() > 1) bigrams.insert(words[words.size() - 2] + '\n' + words.back());
      if (!is_content_word(word)) continue;
      distinct_content.insert(words.back());
      content.push_back(&word);
    }
  }
};

double fraction(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

using Values = std::span<const float>;

double dot(Values a, Values b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    out += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  return out;
}

double cosine(Values a, Values b) {
  if (a.empty() || b.empty()) return 0;
  const double lengths = std::sqrt(dot(a, a) * dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 0;
}

std::vector<Values> vectors_of(const Side& side, const WordVectors& vectors) {
  std::vector<Values> out;
  for (const Word* word : side.content) {
    const Values found = vector_of(*word, vectors);
    if (!found.empty()) out.push_back(found);
  }
  return out;
}

std::vector<float> mean_of(const std::vector<Values>& vectors) {
  std::vector<float> out;
  for (const Values vector : vectors) {
    out.resize(vector.size(), 0);
    for (std::size_t k = 0; k < vector.size(); ++k) out[k] += vector[k];
  }
  return out;  // its length does not matter
}

/// The mean, over the content words of `from`, of the largest cosine with one of `to`; 0 for words
/// without a vector.
double aligned(const std::vector<Values>& from, std::size_t words, const std::vector<Values>& to) {
  if (words == 0) return 0;
  double sum = 0;
  for (const Values vector : from) {
    double best = 0;
    for (const Values other : to) best = std::max(best, cosine(vector, other));
    sum += best;
  }
  return sum / static_cast<double>(words);
}

}  // namespace

std::string vector_key(const Word& word) { return word_text(word) + "::" + word_letter(word, {}); }

std::span<const float> vector_of(const Word& word, const WordVectors& vectors) {
  return vectors.find(vector_key(word));
}

double vector_similarity(const Word& a, const Word& b, const WordVectors& vectors) {
  return cosine(vector_of(a, vectors), vector_of(b, vectors));
}

FeatureVector pair_features(std::span<const Word> a, std::span<const Word> b,
                            const WordVectors* vectors) {
  FeatureVector out;
  const auto add = [&](std::string name, double value) {
    out.features.push_back(std::move(name));
    out.values.push_back(value);
  };
  const auto add_overlap = [&](const std::string& name, const std::set<std::string>& of_a,
                               const std::set<std::string>& of_b) {
    const auto both = static_cast<std::size_t>(
        std::ranges::count_if(of_a, [&](const std::string& each) { return of_b.contains(each); }));
    add(name, fraction(both, of_a.size() + of_b.size() - both));
    add(name + "_a", fraction(both, of_a.size()));
    add(name + "_b", fraction(both, of_b.size()));
  };
  const Side left(a);
  const Side right(b);
  add_overlap("words", left.distinct, right.distinct);
  add_overlap("content", left.distinct_content, right.distinct_content);
  add_overlap("bigrams", left.bigrams, right.bigrams);
  add("length_ratio", fraction(std::min(left.words.size(), right.words.size()),
                               std::max(left.words.size(), right.words.size())));
  if (vectors == nullptr) return out;
  const std::vector<Values> of_a = vectors_of(left, *vectors);
  const std::vector<Values> of_b = vectors_of(right, *vectors);
  add("mean_vector", cosine(mean_of(of_a), mean_of(of_b)));
  add("aligned_a", aligned(of_a, left.content.size(), of_b));
  add("aligned_b", aligned(of_b, right.content.size(), of_a));
  return out;
}

}  // namespace espalier
