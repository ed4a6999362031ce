#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/number.hpp"
#include "espalier/explain/model_fragments.hpp"
#include "explain/assets.hpp"
#include "explain/html_page.hpp"
#include "explain/markup.hpp"
#include "explain/tree_layout.hpp"

namespace espalier {

namespace {

/// The leaves of a tree as a sentence in which those below a node are marked.
std::string marked_sentence(const Tree& tree, std::size_t marked) {
  constexpr std::size_t most = 60;            // words before, within and after the mark
  std::vector<std::size_t> end(tree.size());  // of each subtree
  std::vector<std::size_t> done;
  for (std::size_t node = tree.size(); node-- > 0;) {
    end[node] = node + 1;
    for (std::uint32_t k = 0; k < tree.children(node); ++k) {
      end[node] = end[done.back()];
      done.pop_back();
    }
    done.push_back(node);
  }
  std::vector<std::string_view> parts[3];  // before, within and after
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.children(node) > 0) continue;
    parts[node < marked ? 0 : node < end[marked] ? 1 : 2].push_back(tree.label(node));
  }
  std::string out;
  for (std::size_t part = 0; part < 3; ++part) {
    const auto& words = parts[part];
    const std::size_t skipped = part == 0 && words.size() > most ? words.size() - most : 0;
    std::string text = skipped > 0 ? "… " : "";
    for (std::size_t k = skipped; k < words.size() && k < skipped + most; ++k) {
      text += (k > skipped ? " " : "") + escaped_markup(words[k]);
    }
    if (words.size() > skipped + most) text += " …";
    if (text.empty()) continue;
    if (!out.empty()) out += ' ';
    out += part == 1 ? "<mark>" + text + "</mark>" : text;
  }
  return out;
}

/// Builds the page section by section. All text from the data goes through escaped_markup().
class FragmentsPage {
 public:
  FragmentsPage(const ModelFragments& all, const std::string& title, const Dataset* data)
      : all_(all), title_(title), data_(data), has_classes_(!all.classes[0].empty()) {
    for (const auto& list : all.lists) {
      for (const WeightedFragment& each : list.found.fragments) {
        for (const double weight : each.weights) largest_ = std::max(largest_, std::abs(weight));
      }
    }
  }

  std::string html() {
    header();
    controls();
    out_ += "<section>\n<div class=\"cards\" id=\"fragments\">\n";
    for (const auto& list : all_.lists) {
      for (const WeightedFragment& each : list.found.fragments) card(list.number, each);
    }
    out_ += "</div>\n</section>\n";
    return html_page(title_ + ": its heaviest fragments", out_, fragments_js);
  }

 private:
  void header() {
    out_ += fmt::format(
        "<header><div><h1>{}</h1>\n<p class=\"subtitle\">The heaviest fragments of <code>{}</code>"
        "</p></div></header>\n<p class=\"hint\">A score is a sum over fragments. "
        "<span class=\"for legend-swatch\">Blue</span> weights are evidence for a class, "
        "<span class=\"against legend-swatch\">orange</span> ones against it. A node with a dashed "
        "line below has children, which are no part of the fragment.</p>\n",
        escaped_markup(title_), escaped_markup(shortened(all_.kernel, 400)));
    for (const auto& [number, found] : all_.lists) {
      if (found.exact) continue;
      out_ += fmt::format(
          "<p class=\"wrong\">{}The search was stopped early: all fragments that weigh more than "
          "{:.4g} are listed, others may be missing.</p>\n",
          has_classes_ ? escaped_markup(all_.classes[number]) + ": " : "", found.bound);
    }
    for (const std::string& other : all_.others) {
      out_ += fmt::format("<p class=\"hint\">Without its part {}.</p>\n", escaped_markup(other));
    }
  }

  void order_button(const char* key, const char* text, bool pressed) {
    out_ +=
        fmt::format("<button type=\"button\" data-order=\"{}\" aria-pressed=\"{}\">{}</button>\n",
                    key, pressed, text);
  }

  void controls() {
    out_ += "<div class=\"controls\" id=\"controls\" hidden>\n";
    if (all_.lists.size() > 1) {
      out_ +=
          "<div role=\"group\" aria-label=\"Show one class only\" class=\"filters\">\n"
          "<button type=\"button\" data-filter=\"\" aria-pressed=\"true\">All</button>\n";
      for (const auto& list : all_.lists) {
        out_ += fmt::format(
            "<button type=\"button\" data-filter=\"{}\" aria-pressed=\"false\">{}</button>\n",
            list.number, escaped_markup(all_.classes[list.number]));
      }
      out_ += "</div>\n";
    }
    out_ += "<div role=\"group\" aria-label=\"Sort\" class=\"filters\">\n";
    order_button("place", "By class", true);
    order_button("weight", "By weight", false);
    order_button("size", "By size", false);
    if (all_.examples > 0) order_button("examples", "By examples", false);
    out_ +=
        "</div>\n<label class=\"search\">Find a label <input type=\"search\" id=\"search\" "
        "autocomplete=\"off\" spellcheck=\"false\"></label>\n"
        "<output id=\"found\" aria-live=\"polite\"></output>\n</div>\n";
  }

  void card(std::uint32_t number, const WeightedFragment& each) {
    const double weight = each.weights[number];
    out_ += fmt::format(
        "<article class=\"card fragment\" tabindex=\"0\" data-class=\"{}\" data-place=\"{}\" "
        "data-weight=\"{}\" data-size=\"{}\" data-examples=\"{}\">\n<h3>{}<b class=\"{}\">{:+.3f}"
        "</b></h3>\n",
        number, -static_cast<std::int64_t>(cards_++), std::abs(weight), each.fragment.size,
        each.examples, has_classes_ ? escaped_markup(all_.classes[number]) + " " : "",
        weight < 0 ? "against" : "for", weight);
    Figure drawn = fragment_figure(each.fragment);
    const std::string text = drawn.title;
    drawn.title = shortened(text, 160);
    out_ += fmt::format("<div class=\"tree\">{}</div>\n<p class=\"brackets\">{}</p>\n",
                        inline_svg(drawn), escaped_markup(shortened(text, 1000)));
    if (!drawn.caption.empty()) out_ += fmt::format("<p class=\"hint\">{}</p>\n", drawn.caption);
    if (all_.classes.size() > 1) bars(each.weights);
    if (all_.terms.size() > 1) {
      out_ += fmt::format("<p class=\"hint\">{}</p>\n", escaped_markup(all_.terms[each.term]));
    }
    if (data_ != nullptr) examples(each);
    out_ += "</article>\n";
  }

  /// The weights in all classes; if there are many, the largest ones.
  void bars(const std::vector<double>& weights) {
    constexpr std::size_t most = 8;
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() > most) {
      std::ranges::stable_sort(order, std::greater(),
                               [&](std::size_t c) { return std::abs(weights[c]); });
      order.resize(most);
    }
    out_ += "<table class=\"bars\">\n";
    for (const std::size_t c : order) {
      const char* side = weights[c] < 0 ? "against" : weights[c] > 0 ? "for" : "hint";
      out_ += fmt::format(
          "<tr><td>{}</td><td class=\"{}\">{:+.3f}</td><td><i class=\"fraction {}\" "
          "style=\"width:{:.1f}%\"></i></td></tr>\n",
          escaped_markup(shortened(all_.classes[c], 16)), side, weights[c], side,
          largest_ > 0 ? 100 * std::abs(weights[c]) / largest_ : 0);
    }
    out_ += "</table>\n";
  }

  void examples(const WeightedFragment& each) {
    out_ += fmt::format("<p class=\"hint\">in {} of {} examples</p>\n", grouped(each.examples),
                        grouped(all_.examples));
    for (const FragmentPlace& place : each.places) {
      const auto column = std::ranges::find(data_->trees(), place.slot, &TreeColumn::slot);
      const Tree tree = data_->forests()[column->forest].value.tree(column->trees[place.example]);
      out_ += fmt::format("<p class=\"example\">{}</p>\n", marked_sentence(tree, place.node));
    }
  }

  const ModelFragments& all_;
  const std::string& title_;
  const Dataset* data_;
  bool has_classes_;
  double largest_ = 0;  ///< absolute weight
  std::size_t cards_ = 0;
  std::string out_;
};

}  // namespace

std::string fragment_svg(const Fragment& fragment) {
  const Figure figure = fragment_figure(fragment);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" role=\"img\">\n<title>{2}</title>\n<style>\n{3}</style>\n"
      "{4}</svg>\n",
      coordinate(figure.width), coordinate(figure.height), escaped_markup(figure.title), figure_css,
      figure.drawing.body());
}

std::string fragments_page(const ModelFragments& fragments, const std::string& title,
                           const Dataset* data) {
  return FragmentsPage(fragments, title, data).html();
}

}  // namespace espalier
