#include "espalier/evaluate/classification.hpp"

#include <algorithm>
#include <iterator>

#include "espalier/base/error.hpp"
#include "espalier/base/id_index.hpp"
#include "evaluate/check_lengths.hpp"

namespace espalier {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// How often a class was true, predicted, and both.
struct Tally {
  std::uint64_t truth = 0;
  std::uint64_t predicted = 0;
  std::uint64_t both = 0;

  bool occurs() const { return truth + predicted > 0; }
  PrecisionRecall scores() const {
    return {ratio(both, predicted), ratio(both, truth), ratio(2 * both, truth + predicted)};
  }
};

using Classes = std::span<const std::uint32_t>;

/// Compares example by example.
class Comparison {
 public:
  explicit Comparison(std::span<const std::string> names) : names_(names), tallies_(names.size()) {}

  void add(Classes truth, Classes predicted) {
    take(truth, truth_);
    take(predicted, predicted_);
    both_.clear();
    std::ranges::set_intersection(truth_, predicted_, std::back_inserter(both_));
    for (const std::uint32_t c : truth_) ++tallies_[c].truth;
    for (const std::uint32_t c : predicted_) ++tallies_[c].predicted;
    for (const std::uint32_t c : both_) ++tallies_[c].both;
    ++examples_;
    if (truth_ == predicted_) ++right_;
    if (truth_.size() != 1 || predicted_.size() != 1) multi_label_ = true;
  }

  ClassificationScores scores() const {
    ClassificationScores out;
    out.examples = examples_;
    out.multi_label = multi_label_;
    out.accuracy = ratio(right_, examples_);
    Tally all;
    for (std::size_t c = 0; c < tallies_.size(); ++c) {
      const Tally& tally = tallies_[c];
      if (!tally.occurs()) continue;
      out.classes.push_back(class_scores(names_[c], tally));
      all.truth += tally.truth;
      all.predicted += tally.predicted;
      all.both += tally.both;
    }
    out.macro = means(out.classes);
    out.micro = all.scores();
    return out;
  }

  /// Per class its place among those that occur, or `none`.
  std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> out;
    std::uint32_t next = 0;
    for (const Tally& tally : tallies_) out.push_back(tally.occurs() ? next++ : none);
    return out;
  }

 private:
  /// `classes` as a set.
  void take(Classes classes, std::vector<std::uint32_t>& out) const {
    out.assign(classes.begin(), classes.end());
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    if (out.empty() || out.back() < names_.size()) return;
    throw Error("example " + std::to_string(examples_) + " has class number " +
                std::to_string(out.back()) + ", but only " + std::to_string(names_.size()) +
                " classes have names: pass the names of all classes of model and data");
  }

  ClassScores class_scores(const std::string& name, const Tally& tally) const {
    const auto [precision, recall, f1] = tally.scores();
    const std::uint64_t wrong = tally.predicted - tally.both;
    const std::uint64_t missed = tally.truth - tally.both;
    const std::uint64_t rest = examples_ - tally.both - wrong - missed;
    return {name, precision, recall, f1, tally.truth, tally.both, wrong, missed, rest};
  }

  static PrecisionRecall means(std::span<const ClassScores> classes) {
    PrecisionRecall out;
    if (classes.empty()) return out;
    for (const ClassScores& scores : classes) {
      out.precision += scores.precision;
      out.recall += scores.recall;
      out.f1 += scores.f1;
    }
    const auto count = static_cast<double>(classes.size());
    return {out.precision / count, out.recall / count, out.f1 / count};
  }

  std::span<const std::string> names_;
  std::vector<Tally> tallies_;  ///< per class
  std::uint64_t examples_ = 0;
  std::uint64_t right_ = 0;
  bool multi_label_ = false;
  std::vector<std::uint32_t> truth_, predicted_, both_;  ///< of one example
};

/// `truth_of` and `predicted_of` return the Classes of an example.
template <class TruthOf, class PredictedOf>
ClassificationScores compare(std::size_t examples, TruthOf truth_of, PredictedOf predicted_of,
                             std::span<const std::string> names) {
  Comparison comparison(names);
  for (std::size_t i = 0; i < examples; ++i) comparison.add(truth_of(i), predicted_of(i));
  ClassificationScores out = comparison.scores();
  if (out.multi_label) return out;
  const std::vector<std::uint32_t> place = comparison.places();
  out.confusion.assign(out.classes.size(), std::vector<std::uint64_t>(out.classes.size()));
  for (std::size_t i = 0; i < examples; ++i) {
    ++out.confusion[place[truth_of(i)[0]]][place[predicted_of(i)[0]]];
  }
  return out;
}

}  // namespace

ClassificationScores evaluate_classification(ClassLists truth, ClassLists predicted,
                                             std::span<const std::string> names) {
  check_lengths(truth.size(), predicted.size());
  return compare(
      truth.size(), [&](std::size_t i) { return Classes(truth[i]); },
      [&](std::size_t i) { return Classes(predicted[i]); }, names);
}

ClassificationScores evaluate_classification(std::span<const std::uint32_t> truth,
                                             std::span<const std::uint32_t> predicted,
                                             std::span<const std::string> names) {
  check_lengths(truth.size(), predicted.size());
  return compare(
      truth.size(), [&](std::size_t i) { return truth.subspan(i, 1); },
      [&](std::size_t i) { return predicted.subspan(i, 1); }, names);
}

}  // namespace espalier
