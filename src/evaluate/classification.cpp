#include "espalier/evaluate/classification.hpp"

#include "espalier/base/error.hpp"
#include "espalier/base/id_index.hpp"
#include "evaluate/check_lengths.hpp"

namespace espalier {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Counts of a class: true, predicted, and both.
struct Tally {
  std::uint64_t truth = 0;
  std::uint64_t predicted = 0;
  std::uint64_t both = 0;

  bool occurs() const { return truth + predicted > 0; }
  PrecisionRecall scores() const {
    return {ratio(both, predicted), ratio(both, truth), ratio(2 * both, truth + predicted)};
  }
};

/// Compares truth and prediction, example by example.
class Comparison {
 public:
  Comparison(const ClassLists& truth, const ClassLists& predicted,
             std::span<const std::string> names)
      : names_(names), tallies_(names.size()), examples_(truth.size()) {
    for (std::size_t i = 0; i < truth.size(); ++i) {
      std::size_t shared = 0;
      for (const std::uint32_t c : truth[i]) {
        ++tallies_[c].truth;
        if (!predicted.has(i, c)) continue;
        ++tallies_[c].both;
        ++shared;
      }
      for (const std::uint32_t c : predicted[i]) ++tallies_[c].predicted;
      if (shared == truth[i].size() && shared == predicted[i].size()) ++right_;
    }
  }

  ClassificationScores scores() const {
    ClassificationScores out;
    out.examples = examples_;
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

  /// Per class: its index among those that occur, or `none`.
  std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> out;
    std::uint32_t next = 0;
    for (const Tally& tally : tallies_) out.push_back(tally.occurs() ? next++ : none);
    return out;
  }

 private:
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
  std::uint64_t examples_;
  std::uint64_t right_ = 0;
};

void check_class_count(const char* whose, const ClassLists& lists, std::size_t names) {
  if (lists.class_count() == names) return;
  throw Error(std::string(whose) + " classes are numbered below " +
              std::to_string(lists.class_count()) + ", but the number of names is " +
              std::to_string(names) + ": number truth and predictions by the same names");
}

ClassLists lists_of_one(std::span<const std::uint32_t> classes, std::size_t class_count) {
  ClassLists out(class_count);
  for (const std::uint32_t c : classes) out.add(c);
  return out;
}

}  // namespace

ClassificationScores evaluate_classification(const ClassLists& truth, const ClassLists& predicted,
                                             std::span<const std::string> names) {
  check_lengths(truth.size(), predicted.size());
  check_class_count("the true", truth, names.size());
  check_class_count("the predicted", predicted, names.size());
  const Comparison comparison(truth, predicted, names);
  ClassificationScores out = comparison.scores();
  out.multi_label = !truth.single() || !predicted.single();
  if (out.multi_label) return out;
  const std::vector<std::uint32_t> place = comparison.places();
  out.confusion.assign(out.classes.size(), std::vector<std::uint64_t>(out.classes.size()));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++out.confusion[place[truth[i][0]]][place[predicted[i][0]]];
  }
  return out;
}

ClassificationScores evaluate_classification(std::span<const std::uint32_t> truth,
                                             std::span<const std::uint32_t> predicted,
                                             std::span<const std::string> names) {
  return evaluate_classification(lists_of_one(truth, names.size()),
                                 lists_of_one(predicted, names.size()), names);
}

}  // namespace espalier
