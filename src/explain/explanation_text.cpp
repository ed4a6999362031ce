#include "explain/explanation_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "espalier/data/example_text.hpp"
#include "espalier/explain/explanation.hpp"

namespace espalier {

namespace {

constexpr std::size_t cited = 2;

/// The strongest positive landmarks of the class itself; of any class if it has none.
std::string citations(const ExplainedScore& score) {
  std::vector<std::string> own, any;
  for (const LandmarkContribution& contribution : score.landmarks) {
    if (contribution.value <= 0) break;
    const bool has_class = std::ranges::count(contribution.classes, score.name) > 0;
    if (has_class && own.size() < cited) own.push_back(shortened(contribution.text));
    if (any.size() < cited) {
      any.push_back(fmt::format("{} [{}]", shortened(contribution.text),
                                fmt::join(contribution.classes, " ")));
    }
  }
  return fmt::format("{}", fmt::join(own.empty() ? any : own, "; "));
}

template <class Contribution, class Text>
std::string strongest(const std::vector<Contribution>& all, bool against, std::size_t most,
                      Text&& text) {
  std::vector<std::string> out;
  for (const Contribution& contribution : all) {
    if ((contribution.value < 0) == against && out.size() < most) {
      out.push_back(fmt::format("{} {:+.3f}", text(contribution), contribution.value));
    }
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

/// The strongest fragments for, or against, the class; subtrees if fragments are not known.
std::string reason_list(const ExplainedScore& score, bool against, std::size_t most) {
  if (score.fragments.empty()) {
    return strongest(score.subtrees, against, most,
                     [](const SubtreeContribution& each) { return each.subtree; });
  }
  return strongest(score.fragments, against, most, [](const FragmentContribution& each) {
    return each.kernel.empty() ? each.fragment : each.kernel + " " + each.fragment;
  });
}

/// The bias belongs to the score, whatever the example.
std::string named(const ExplainedScore& score) {
  const std::string number = fmt::format("{:.3f}, bias {:+.3f}", score.score, score.bias);
  return score.name.empty() ? number : fmt::format("{} ({})", score.name, number);
}

/// The reasons for a score, with a fitting conjunction.
std::string reason(const ExplainedScore& score, const char* before_likeness,
                   const char* before_parts) {
  const bool likeness = !score.landmarks.empty();
  const std::string list = likeness ? citations(score) : reason_list(score, false, cited);
  if (list.empty()) return "";
  return fmt::format(", {}: {}", likeness ? before_likeness : before_parts, list);
}

void add_landmarks(const ExplainedScore& score, std::size_t top, std::string& out) {
  const std::size_t count = std::min(top, score.landmarks.size());
  const auto add = [&](const LandmarkContribution& contribution) {
    out += fmt::format("    {:+.3f}  {} [{}]\n", contribution.value, shortened(contribution.text),
                       fmt::join(contribution.classes, " "));
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (score.landmarks[k].value > 0) add(score.landmarks[k]);
  }
  for (std::size_t k = score.landmarks.size() - std::min(count, score.landmarks.size() - count);
       k < score.landmarks.size(); ++k) {
    if (score.landmarks[k].value < 0) add(score.landmarks[k]);
  }
}

}  // namespace

std::string explanation_sentence(const Explanation& explanation) {
  std::string out = named(explanation.decision) +
                    reason(explanation.decision, "because it is like", "because of");
  for (const ExplainedScore& rival : explanation.rivals) {
    out += "; not " + named(rival) + reason(rival, "although it is like", "in spite of");
  }
  return out;
}

std::string fragments_sum_text(const ExplainedScore& score) {
  double sum = 0;
  for (const FragmentContribution& each : score.fragments) sum += each.value;
  const double whole = score.score - score.bias;
  const std::string listed =
      score.fragments.size() == 1
          ? "the fragment that contributed most adds"
          : fmt::format("the {} fragments that contributed most add", score.fragments.size());
  return fmt::format("{} {:+.3f} to the {:+.3f} that is not bias{}", listed, sum, whole,
                     whole != 0 ? fmt::format(": {:.0f} %", 100 * sum / whole) : "");
}

std::string shown_id(const Explanation& explanation) {
  return explanation.id ? fmt::format("[{}] ", *explanation.id) : "";
}

std::string explanation_text(const Explanation& explanation, std::size_t top) {
  const ExplainedScore& score = explanation.decision;
  std::string out = fmt::format("{}. {}{}\n  {}\n", explanation.example, shown_id(explanation),
                                shortened(explanation.text), explanation_sentence(explanation));
  add_landmarks(score, top, out);
  const std::string good = reason_list(score, false, top), bad = reason_list(score, true, top);
  const char* parts = score.fragments.empty() ? "subtrees" : "fragments";
  if (!good.empty()) out += fmt::format("  {} for it: {}\n", parts, good);
  if (!bad.empty()) out += fmt::format("  against it: {}\n", bad);
  if (!score.fragments.empty()) out += "  " + fragments_sum_text(score) + "\n";
  for (const auto& rest : score.rest) out += fmt::format("  {}: {:+.3f}\n", rest.name, rest.value);
  if (!score.landmarks.empty())
    out += fmt::format("  like no landmark: {:+.3f}\n", score.like_none);
  return out;
}

}  // namespace espalier
