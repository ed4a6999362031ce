#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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
    if (has_class && own.size() < cited) own.push_back(contribution.text);
    if (any.size() < cited) {
      any.push_back(
          fmt::format("{} [{}]", contribution.text, fmt::join(contribution.classes, " ")));
    }
  }
  return fmt::format("{}", fmt::join(own.empty() ? any : own, "; "));
}

/// The strongest subtrees for, or against, the class.
std::string subtree_list(const ExplainedScore& score, bool against, std::size_t most) {
  std::vector<std::string> out;
  for (const SubtreeContribution& contribution : score.subtrees) {
    if ((contribution.value < 0) == against && out.size() < most) {
      out.push_back(fmt::format("{} {:+.3f}", contribution.subtree, contribution.value));
    }
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

std::string named(const ExplainedScore& score) {
  return score.name.empty() ? fmt::format("{:.3f}", score.score)
                            : fmt::format("{} ({:.3f})", score.name, score.score);
}

/// The reasons for a score, with a fitting conjunction.
std::string reason(const ExplainedScore& score, const char* before_likeness,
                   const char* before_subtrees) {
  const bool likeness = !score.landmarks.empty();
  const std::string list = likeness ? citations(score) : subtree_list(score, false, cited);
  if (list.empty()) return "";
  return fmt::format(", {}: {}", likeness ? before_likeness : before_subtrees, list);
}

void add_landmarks(const ExplainedScore& score, std::size_t top, std::string& out) {
  const std::size_t count = std::min(top, score.landmarks.size());
  const auto add = [&](const LandmarkContribution& contribution) {
    out += fmt::format("    {:+.3f}  {} [{}]\n", contribution.value, contribution.text,
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

std::string explanation_text(const Explanation& explanation, std::size_t top) {
  const ExplainedScore& score = explanation.decision;
  std::string out = fmt::format("{}. {}\n  {}\n", explanation.example, explanation.text,
                                explanation_sentence(explanation));
  add_landmarks(score, top, out);
  const std::string good = subtree_list(score, false, top), bad = subtree_list(score, true, top);
  if (!good.empty()) out += fmt::format("  subtrees for it: {}\n", good);
  if (!bad.empty()) out += fmt::format("  against it: {}\n", bad);
  for (const auto& rest : score.rest) out += fmt::format("  {}: {:+.3f}\n", rest.name, rest.value);
  if (!score.landmarks.empty())
    out += fmt::format("  like no landmark: {:+.3f}\n", score.like_none);
  return out + fmt::format("  bias: {:+.3f}\n", score.bias);
}

}  // namespace espalier
