#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "espalier/explain/explanation.hpp"
#include "explain/explanation_text.hpp"
#include "explain/html_page.hpp"
#include "explain/markup.hpp"
#include "explain/tree_layout.hpp"
#include "explain/words.hpp"

namespace espalier {

namespace {

constexpr TreeLimits limits{.nodes = 120, .levels = 16, .children = 14};

const char* side_of(double value) { return value < 0 ? "against" : "for"; }

/// The tree with each node's background coloured by the contribution of the fragments rooted there.
Figure coloured_tree(const ExplainedTree& tree) {
  const TreeLayout layout = lay_out_tree(tree.forest, tree.forest.root(0), limits);
  double strongest = 0;
  for (const double value : tree.values) strongest = std::max(strongest, std::abs(value));
  Figure out{"explained", tree.name, "", layout.width, layout.height, {}};
  for (const DrawnNode& node : layout.nodes) {
    if (node.hidden > 0 || strongest == 0) continue;
    const double value = tree.values[node.vertex];
    out.drawing.open_group(fmt::format("class=\"{}\" fill-opacity=\"{:.2f}\"", side_of(value),
                                       0.85 * std::abs(value) / strongest));
    out.drawing.rectangle({node.centre.x - node.width / 2 - 4, node.centre.y - 8}, node.width + 8,
                          17, "ground-of-node", fmt::format("{:+.4f}", value));
    out.drawing.close_group();
  }
  draw_tree(layout, out.drawing);
  return out;
}

class ExplanationPage {
 public:
  ExplanationPage(const std::string& title, std::size_t top) : title_(title), top_(top) {
    out_ = fmt::format(
        "<h1>{}</h1>\n<p class=\"hint\"><span class=\"for legend-swatch\">Blue</span> nodes "
        "contributed to the decision, <span class=\"against legend-swatch\">orange</span> ones "
        "against it: each node represents all fragments rooted there. Hover over a node to see the "
        "number.</p>\n",
        escaped_markup(title));
  }

  void say_omitted(std::size_t count) {
    out_ += fmt::format("<p class=\"hint\">{} more examples are not on this page.</p>\n", count);
  }

  void add(const Explanation& explanation) {
    const ExplainedScore& decision = explanation.decision;
    const bool right = explanation.labels.empty() || decision.name.empty() ||
                       std::ranges::count(explanation.labels, decision.name) > 0;
    out_ += fmt::format("<section class=\"explanation\" id=\"e{}\">\n<h2>{}. {}</h2>\n",
                        explanation.example, explanation.example,
                        escaped_markup(shown_id(explanation) + explanation.text));
    out_ += fmt::format("<p class=\"sentence\">{}</p>\n",
                        escaped_markup(explanation_sentence(explanation)));
    if (!right) {
      out_ += fmt::format("<p class=\"wrong\">The label says {}.</p>\n",
                          escaped_markup(fmt::format("{}", fmt::join(explanation.labels, ", "))));
    }
    for (const ExplainedTree& tree : decision.trees) {
      out_ += fmt::format("<div class=\"tree\">{}</div>\n", inline_svg(coloured_tree(tree)));
    }
    out_ += "<div class=\"tables\">\n";
    landmarks(decision);
    fragments(decision);
    if (decision.fragments.empty()) subtrees(decision);
    out_ += "</div>\n";
    sum(decision);
    out_ += "</section>\n";
  }

  std::string html() const { return html_page(title_ + ": decisions explained", out_); }

 private:
  void row(double value, const std::string& text, const std::string& note) {
    out_ +=
        fmt::format("<tr><td class=\"{}\">{:+.3f}</td><td>{}</td><td class=\"hint\">{}</td></tr>\n",
                    side_of(value), value, escaped_markup(text), escaped_markup(note));
  }

  void landmarks(const ExplainedScore& score) {
    if (score.landmarks.empty()) return;
    out_ += "<table><tr><th colspan=\"3\">Most and least similar landmarks</th></tr>\n";
    const std::size_t size = score.landmarks.size();
    for (std::size_t k = 0; k < size; ++k) {
      const LandmarkContribution& contribution = score.landmarks[k];
      const bool shown =
          contribution.value > 0 ? k < top_ : contribution.value < 0 && size - k <= top_;
      if (shown)
        row(contribution.value, contribution.text,
            fmt::format("{}", fmt::join(contribution.classes, " ")));
    }
    out_ += "</table>\n";
  }

  void fragments(const ExplainedScore& score) {
    if (score.fragments.empty()) return;
    out_ += fmt::format("<table><tr><th colspan=\"3\">Fragments: {}</th></tr>\n",
                        fragments_sum_text(score));
    for (const FragmentContribution& each : score.fragments) {
      row(each.value, shortened(each.fragment, 200), each.kernel);
    }
    out_ += "</table>\n";
  }

  void subtrees(const ExplainedScore& score) {
    if (score.subtrees.empty()) return;
    out_ += "<table><tr><th colspan=\"3\">Subtrees</th></tr>\n";
    for (std::size_t k = 0; k < std::min(2 * top_, score.subtrees.size()); ++k) {
      const SubtreeContribution& contribution = score.subtrees[k];
      row(contribution.value, contribution.subtree,
          contribution.count > 1 ? fmt::format("{} times", contribution.count) : "");
    }
    out_ += "</table>\n";
  }

  void sum(const ExplainedScore& score) {
    double trees = 0;
    for (const SubtreeContribution& contribution : score.subtrees) trees += contribution.value;
    std::string text = fmt::format("{:.3f} = {:.3f} from subtrees", score.score, trees);
    for (const auto& rest : score.rest)
      text += fmt::format(" {:+.3f} from {}", rest.value, rest.name);
    out_ += fmt::format("<p class=\"hint\">{}</p>\n",
                        escaped_markup(text + fmt::format(" {:+.3f} bias", score.bias)));
  }

  const std::string& title_;
  std::size_t top_;
  std::string out_;
};

}  // namespace

std::string explanation_page(std::span<const Explanation> explanations, const std::string& title,
                             std::size_t top, std::size_t omitted) {
  ExplanationPage page(title, top);
  if (omitted > 0) page.say_omitted(omitted);
  for (const Explanation& explanation : explanations) page.add(explanation);
  return page.html();
}

}  // namespace espalier
