#include <fmt/format.h>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "learning.hpp"

namespace espalier::cli {

namespace {

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

std::string optional_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "not defined";
}

/// Who is taken for whom. Too many classes would not be read.
void append_confusion(const ClassificationScores& scores, std::string& out) {
  constexpr std::size_t most = 20;
  if (scores.confusion.empty() || scores.classes.size() > most) return;
  out += fmt::format("\n{:<16}", "true \\ predicted");
  for (const ClassScores& c : scores.classes) out += fmt::format(" {:>6.6}", c.name);
  out += "\n";
  for (std::size_t row = 0; row < scores.confusion.size(); ++row) {
    out += fmt::format("{:<16.16}", scores.classes[row].name);
    for (const std::uint64_t count : scores.confusion[row]) out += fmt::format(" {:>6}", count);
    out += "\n";
  }
}

void append(const ClassificationScores& scores, std::string& out) {
  out += fmt::format("{}, accuracy {} %\n", counted(scores.examples, "example"),
                     percent(scores.accuracy));
  out +=
      fmt::format("{:<16} {:>9} {:>9} {:>9} {:>9}\n", "", "precision", "recall", "F1", "examples");
  for (const ClassScores& c : scores.classes) {
    out += fmt::format("{:<16} {:>9} {:>9} {:>9} {:>9}\n", c.name, percent(c.precision),
                       percent(c.recall), percent(c.f1), c.support);
  }
  const auto mean = [&](const char* name, const PrecisionRecall& p) {
    out += fmt::format("{:<16} {:>9} {:>9} {:>9}\n", name, percent(p.precision), percent(p.recall),
                       percent(p.f1));
  };
  mean("macro", scores.macro);
  mean("micro", scores.micro);
  append_confusion(scores, out);
}

void append(const RegressionScores& scores, std::string& out) {
  out += fmt::format(
      "{}\nmean squared error  {:.4g}\nmean absolute error {:.4g}\nR^2      {}\nPearson  {}\n"
      "Spearman {}\n",
      counted(scores.examples, "example"), scores.mean_squared_error, scores.mean_absolute_error,
      optional_text(scores.r2), optional_text(scores.pearson), optional_text(scores.spearman));
}

void append(const RankingScores& scores, std::string& out) {
  out += fmt::format("{} in {}: MAP {:.4f}, MRR {:.4f}, precision at 1 {:.4f}\n",
                     counted(scores.items, "item"), counted(scores.groups, "group"),
                     scores.mean_average_precision, scores.mean_reciprocal_rank,
                     scores.precision_at_1);
  if (scores.groups_without_relevant > 0) {
    out += fmt::format("{} without anything relevant left out\n",
                       counted(scores.groups_without_relevant, "group"));
  }
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation) {
  std::string out;
  if (evaluation.classification) append(*evaluation.classification, out);
  if (evaluation.regression) append(*evaluation.regression, out);
  if (evaluation.ranking) append(*evaluation.ranking, out);
  return printable(out, "\n");
}

}  // namespace espalier::cli
