#pragma once

// The smoothed partial tree kernel tree by tree, as its paper has it: the algorithm of
// paper_pairs.hpp, with a table of similarities in place of equal labels. Labels that may be
// similar share a key, so that a merge of sorted lists finds the pairs of nodes that may match.

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "baseline/flat_trees.hpp"
#include "baseline/paper_pairs.hpp"
#include "espalier/data/word_vectors.hpp"
#include "espalier/io/word_vectors.hpp"

namespace espalier::baseline {

/// The part of speech of a word's label "LEX##film::n"; other labels are their own key.
inline std::string similarity_key(std::string_view label) {
  if (!label.starts_with("LEX##")) return std::string(label);
  const std::size_t mark = label.find("::");
  return "LEX " + std::string(mark == label.npos ? "" : label.substr(mark + 2));
}

/// Trees with keys in place of labels, and the labels beside them.
class KeyedTrees {
 public:
  explicit KeyedTrees(std::span<const Tree> trees) {
    for (const Tree& tree : trees) {
      std::vector<std::uint32_t> labels(tree.size());
      for (std::size_t node = 0; node < tree.size(); ++node) {
        const std::string label(tree.label(node));
        // FlatTrees number nodes from the last in preorder on.
        labels[tree.size() - 1 - node] = labels_.intern(label);
      }
      label_of_node_.push_back(std::move(labels));
    }
    keys_ = std::make_unique<FlatTrees>(with_keys(trees));
  }

  const FlatTrees& flat() const { return *keys_; }
  std::span<const std::uint32_t> labels(std::size_t tree) const { return label_of_node_[tree]; }
  const LabelTable& label_table() const { return labels_; }

 private:
  static std::vector<Tree> with_keys(std::span<const Tree> trees) {
    std::vector<Tree> out;
    for (const Tree& tree : trees) {
      TreeBuilder builder;
      builder.start(out.emplace_back());
      std::vector<std::uint32_t> missing;  // children of the open nodes
      for (std::size_t node = 0; node < tree.size(); ++node) {
        builder.open(similarity_key(tree.label(node)));
        if (!missing.empty()) --missing.back();
        missing.push_back(tree.children(node));
        while (!missing.empty() && missing.back() == 0) {
          builder.close();
          missing.pop_back();
        }
      }
    }
    return out;
  }

  LabelTable labels_;
  std::vector<std::vector<std::uint32_t>> label_of_node_;
  std::unique_ptr<FlatTrees> keys_;
};

/// The similarities of all pairs of labels with the same key.
class SimilarityTable {
 public:
  SimilarityTable(const LabelTable& labels, const std::string& file, double threshold) {
    LabelTable words;
    for (LabelId id = 0; id < labels.size(); ++id) words.intern(word(labels.text(id)));
    const WordVectors vectors = read_word_vectors(file, words);
    std::map<std::string, std::vector<LabelId>> by_key;
    for (LabelId id = 0; id < labels.size(); ++id) {
      auto& members = by_key[similarity_key(labels.text(id))];
      place_.push_back(static_cast<std::uint32_t>(members.size()));
      members.push_back(id);
    }
    row_.resize(labels.size());
    for (const auto& [key, members] : by_key) {
      std::vector<std::vector<double>> unit;
      for (const LabelId id : members) unit.push_back(unit_vector(vectors, word(labels.text(id))));
      for (std::size_t a = 0; a < members.size(); ++a) {
        row_[members[a]] = values_.size();
        for (std::size_t b = 0; b < members.size(); ++b) {
          double cosine = 0;
          for (std::size_t k = 0; k < std::min(unit[a].size(), unit[b].size()); ++k) {
            cosine += unit[a][k] * unit[b][k];
          }
          values_.push_back(a == b ? 1 : cosine < threshold ? 0 : static_cast<float>(cosine));
        }
      }
    }
  }

  /// Of two labels with the same key.
  double operator()(std::uint32_t a, std::uint32_t b) const {
    return static_cast<double>(values_[row_[a] + place_[b]]);
  }

 private:
  static std::string_view word(std::string_view label) {
    return label.starts_with("LEX##") ? label.substr(5) : label;
  }
  static std::vector<double> unit_vector(const WordVectors& vectors, std::string_view word) {
    const auto found = vectors.find(word);
    std::vector<double> out(found.begin(), found.end());
    double square = 0;
    for (const double x : out) square += x * x;
    for (double& x : out) x /= std::sqrt(square);
    return out;
  }

  std::vector<std::uint32_t> place_;  ///< per label: among those with its key
  std::vector<std::size_t> row_;      ///< per label: where its values begin
  std::vector<float> values_;
};

/// SPT. Not for several threads at once.
class PaperSmoothedTrees {
 public:
  PaperSmoothedTrees(const KeyedTrees& trees, const SimilarityTable& similarity,
                     const PartialTreeOptions& options)
      : trees_(trees),
        similarity_(similarity),
        options_(options),
        memo_(trees.flat().largest()),
        ends_(std::size_t{trees.flat().widest() + 1} * (trees.flat().widest() + 1)),
        sums_(ends_.size()) {}

  double operator()(std::size_t i, std::size_t j) {
    a_ = trees_.flat()[i];
    b_ = trees_.flat()[j];
    a_labels_ = trees_.labels(i);
    b_labels_ = trees_.labels(j);
    memo_.start(a_.by_label, b_.by_label, b_.size);
    double sum = 0;
    for (const Memo::Pair& pair : memo_.pairs()) sum += delta(pair.x, pair.y);
    return sum;
  }

 private:
  /// Requires equal keys.
  double delta(std::uint32_t x, std::uint32_t y) {
    double& value = memo_.at(x, y);
    if (value != Memo::unknown) return value;
    const double similarity = similarity_(a_labels_[x], b_labels_[y]);
    if (similarity == 0) return value = 0;
    const auto below = a_.children(x), other = b_.children(y);
    const double factor = similarity * options_.depth_decay;
    const double single = options_.decay * options_.decay;
    if (below.empty() || other.empty()) return value = factor * single * options_.terminal;
    for (const std::uint32_t p : below) {
      for (const std::uint32_t q : other) {
        if (a_.label[p] == b_.label[q]) delta(p, q);
      }
    }
    return value = factor * (single + subsequences(below, other));
  }

  double subsequences(std::span<const std::uint32_t> below, std::span<const std::uint32_t> other) {
    const std::size_t columns = other.size() + 1;
    const double decay = options_.decay;
    const std::size_t longest = std::min(below.size(), other.size());
    const auto match = [&](std::size_t i, std::size_t j) {
      const std::uint32_t p = below[i - 1], q = other[j - 1];
      return a_.label[p] == b_.label[q] ? memo_.at(p, q) : 0;
    };
    double sum = 0;
    for (std::size_t i = 1; i <= below.size(); ++i) {
      for (std::size_t j = 1; j <= other.size(); ++j) {
        sum += ends_[i * columns + j] = match(i, j);
      }
    }
    std::fill_n(sums_.begin(), columns, 0);
    for (std::size_t length = 2; length <= longest; ++length) {
      for (std::size_t i = 1; i <= below.size(); ++i) {
        double* const row = sums_.data() + i * columns;
        const double* const above = row - columns;
        double* const ends = ends_.data() + i * columns;
        row[0] = 0;
        for (std::size_t j = 1; j <= other.size(); ++j) {
          row[j] = ends[j] + decay * row[j - 1] + decay * above[j] - decay * decay * above[j - 1];
          sum += ends[j] = match(i, j) * above[j - 1];
        }
      }
    }
    return sum;
  }

  const KeyedTrees& trees_;
  const SimilarityTable& similarity_;
  PartialTreeOptions options_;
  Memo memo_;
  std::vector<double> ends_;
  std::vector<double> sums_;
  FlatTree a_{}, b_{};
  std::span<const std::uint32_t> a_labels_, b_labels_;
};

}  // namespace espalier::baseline
