#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/number.hpp"
#include "espalier/explain/report.hpp"
#include "explain/assets.hpp"
#include "explain/choose.hpp"
#include "explain/figures.hpp"
#include "explain/groups.hpp"
#include "explain/html_page.hpp"
#include "explain/markup.hpp"
#include "explain/tree_layout.hpp"
#include "explain/words.hpp"

namespace espalier {

namespace {

/// Builds the page section by section. All text from the data goes through escaped_markup().
class Page {
 public:
  explicit Page(const Report& report) : report_(report) {}

  std::string html() {
    header();
    distributions();
    controls();
    forest();
    single("weights");
    top();
    single("results");
    model();
    details();
    return html_page(report_.name + ": a report on its trees", out_, report_js);
  }

 private:
  void number(std::uint64_t value, std::string_view what, std::string_view plural_end = "s") {
    const std::string text = counted(value, what, plural_end);
    const std::size_t blank = text.find(' ');
    out_ += fmt::format("<li><b>{}</b> {}</li>\n", text.substr(0, blank), text.substr(blank + 1));
  }

  void header() {
    out_ += fmt::format(
        "<header>\n<div><h1>{}</h1>\n<p class=\"subtitle\">{}{}</p></div>\n"
        "<button type=\"button\" id=\"theme\" hidden>Dark</button>\n</header>\n"
        "<ul class=\"numbers\">\n",
        escaped_markup(report_.name),
        report_.has_classes ? "What distinguishes its classes" : "What its trees are made of",
        report_.tree_name.empty() || report_.tree_name == "tree"
            ? ""
            : fmt::format(" (tree <q>{}</q>)", escaped_markup(report_.tree_name)));
    number(report_.sizes.size(), "tree");
    if (!report_.classes.empty()) number(report_.classes.size(), "class", "es");
    number(report_.forest.node_count(), "node");
    number(report_.forest.vertex_count(), "distinct subtree");
    if (report_.forest.options().labelled) number(report_.forest.labels().size(), "label");
    out_ += "</ul>\n";
    std::string how = report_.forest.options().ordered ? "" : " The order of children is ignored.";
    if (!report_.forest.options().labelled) how += " Labels are ignored: only shapes count.";
    out_ += fmt::format("<p>{}{}</p>\n", escaped_markup(report_.weights), how);
  }

  void figure(const Figure& figure) {
    out_ += fmt::format(
        "<figure id=\"{}\"{}>\n<h3>{}</h3>\n{}<figcaption>{}</figcaption>\n</figure>\n",
        figure.name, figure.width > 500 ? " class=\"wide\"" : "", escaped_markup(figure.title),
        inline_svg(figure), escaped_markup(figure.caption));
  }

  void distributions() {
    out_ += "<section>\n<h2>The trees</h2>\n<div class=\"grid\">\n";
    for (const char* name : {"sizes", "heights", "outdegrees"}) {
      figure(*make_figure(report_, name));
    }
    if (!report_.classes.empty() || !report_.numbers.empty()) figure(class_figure(report_));
    out_ += "</div>\n</section>\n";
  }

  void controls() {
    out_ += fmt::format(
        "<div class=\"controls\" id=\"controls\" hidden>\n"
        "<div role=\"group\" aria-label=\"Show one {0} only\" class=\"filters\">\n"
        "<button type=\"button\" data-filter=\"\" aria-pressed=\"true\">All</button>\n",
        group_word(report_));
    for (std::size_t g = 0; g < drawn_groups(report_); ++g) {
      out_ += fmt::format(
          "<button type=\"button\" data-filter=\"{}\" aria-pressed=\"false\"><i class=\"swatch "
          "{}\">"
          "</i>{}</button>\n",
          g, colour_of(report_, g), escaped_markup(name_of(report_, g)));
    }
    out_ +=
        "</div>\n<label class=\"search\">Find a label <input type=\"search\" id=\"search\" "
        "autocomplete=\"off\" spellcheck=\"false\"></label>\n"
        "<output id=\"found\" aria-live=\"polite\"></output>\n</div>\n";
  }

  void forest() {
    const Figure drawn = *make_figure(report_, "forest");
    out_ += fmt::format(
        "<section>\n<h2>{}</h2>\n<div class=\"with-panel\">\n<figure id=\"forest\">\n"
        "<div class=\"scroll\">{}</div><figcaption>{}</figcaption>\n</figure>\n"
        "<aside id=\"panel\" aria-live=\"polite\" aria-label=\"The selected subtree\" hidden>"
        "<p class=\"hint\">Point at a circle to see its subtree. Click to keep it here; arrow keys "
        "move from one to the next.</p></aside>\n</div>\n</section>\n",
        escaped_markup(drawn.title), inline_svg(drawn), escaped_markup(drawn.caption));
  }

  void single(std::string_view name) {
    const std::optional<Figure> drawn = make_figure(report_, name);
    if (!drawn) return;
    out_ += fmt::format(
        "<section>\n<h2>{}</h2>\n<figure id=\"{}\">\n<div class=\"scroll\">{}</div>"
        "<figcaption>{}</figcaption>\n</figure>\n</section>\n",
        escaped_markup(drawn->title), name, inline_svg(*drawn), escaped_markup(drawn->caption));
  }

  /// The statistics of a subtree, shown below its picture.
  void facts(const ChosenSubtree& subtree) {
    const SubtreeFacts& facts = report_.facts[subtree.vertex];
    const CountsText counts = counts_text(report_, subtree);
    out_ += fmt::format("<p><b class=\"mark {}{}\"></b> weight <b>{}</b><br>{}<br>{}<br>{}</p>\n",
                        colour_of(report_, facts.group), facts.by_absence ? " absence" : "",
                        weight_text(facts.weight), escaped_markup(verdict_text(report_, subtree)),
                        escaped_markup(counts.own), escaped_markup(counts.others));
  }

  void tree(VertexId vertex) {
    Figure drawn = tree_figure(report_.forest, vertex);
    drawn.title = brackets_text(report_.forest, vertex, 160);
    out_ += fmt::format("<div class=\"tree\">{}</div>\n", inline_svg(drawn));
    if (!drawn.caption.empty()) out_ += fmt::format("<p class=\"hint\">{}</p>\n", drawn.caption);
  }

  void top() {
    out_ += fmt::format("<section id=\"top\">\n<h2>{}</h2>\n<p>{}</p>\n",
                        report_.has_classes ? "Strongest subtrees of each class"
                                            : "Most frequent subtrees of each range",
                        top_caption(report_));
    for (std::uint32_t g = 0; g < drawn_groups(report_); ++g) {
      const auto best = top_of_group(report_, g, top_count(report_));
      if (best.empty()) continue;
      out_ += fmt::format(
          "<div class=\"of-group\" data-group=\"{}\">\n<h3><i class=\"swatch {}\"></i>"
          "{}</h3>\n<div class=\"cards\">\n",
          g, colour_of(report_, g), escaped_markup(full_name_of(report_, g)));
      for (const std::size_t i : best) {
        out_ += "<article class=\"card\">\n";
        tree(report_.chosen[i].vertex);
        facts(report_.chosen[i]);
        out_ += "</article>\n";
      }
      out_ += "</div>\n</div>\n";
    }
    out_ += "</section>\n";
  }

  void model() {
    if (report_.model.empty()) return;
    out_ += "<section id=\"model\">\n<h2>The model</h2>\n<dl>\n";
    for (const auto& [name, text] : report_.model) {
      out_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped_markup(name), escaped_markup(text));
    }
    out_ += "</dl>\n</section>\n";
  }

  /// How many trees of each class contain the subtree; if there are many classes, the top ones.
  void class_table(const ChosenSubtree& subtree) {
    constexpr std::size_t most = 12;
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < subtree.trees_of_class.size(); ++c) {
      if (subtree.trees_of_class.size() <= most || subtree.trees_of_class[c] > 0)
        order.push_back(c);
    }
    const auto fraction = [&](std::size_t c) {
      return static_cast<double>(subtree.trees_of_class[c]) /
             static_cast<double>(std::max<std::uint64_t>(report_.classes[c].trees, 1));
    };
    if (order.size() > most) {
      std::ranges::stable_sort(order, std::greater<>(), fraction);
      order.resize(most);
    }
    out_ += "<table><tr><th>class</th><th>trees with it</th><th></th></tr>\n";
    for (const std::size_t c : order) {
      out_ += fmt::format(
          "<tr><td>{}</td><td>{} of {}</td><td><i class=\"fraction {}\" "
          "style=\"width:{:.0f}px\"></i>"
          "</td></tr>\n",
          escaped_markup(shortened(name_of(report_, c), 16)), grouped(subtree.trees_of_class[c]),
          grouped(report_.classes[c].trees), colour_of(report_, c), 80 * fraction(c));
    }
    out_ += "</table>\n";
  }

  /// The content of the panel for each circle, hidden until the script shows it.
  void details() {
    out_ += "<div id=\"details\" hidden>\n";
    for (std::size_t i = 0; i < report_.chosen.size(); ++i) {
      const ChosenSubtree& subtree = report_.chosen[i];
      out_ += fmt::format("<article id=\"detail-{}\">\n<h3>{}</h3>\n", i,
                          escaped_markup(shortened(root_text(report_.forest, subtree.vertex), 40)));
      tree(subtree.vertex);
      facts(subtree);
      if (report_.has_classes) class_table(subtree);
      out_ += fmt::format("<p class=\"brackets\">{}</p>\n</article>\n",
                          escaped_markup(brackets_text(report_.forest, subtree.vertex, 240)));
    }
    out_ += "</div>\n";
  }

  const Report& report_;
  std::string out_;
};

}  // namespace

std::string report_html(const Report& report) { return Page(report).html(); }

}  // namespace espalier
