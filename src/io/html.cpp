#include <algorithm>

#include "espalier/base/error.hpp"
#include "io/ascii.hpp"
#include "io/element.hpp"
#include "io/formats.hpp"
#include "io/html_parser.hpp"

namespace espalier {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Void elements, and elements that the next one of their kind closes.
bool nests(std::string_view tag) {
  constexpr std::string_view flat[] = {
      "area",   "base",     "br",       "col",   "embed", "hr",   "img",   "input", "link",
      "meta",   "param",    "source",   "track", "wbr",   "html", "head",  "body",  "p",
      "li",     "dt",       "dd",       "tr",    "td",    "th",   "thead", "tbody", "tfoot",
      "option", "optgroup", "colgroup", "a",     "rt",    "rp",   "nobr",  "button"};
  return std::ranges::find(flat, tag) == std::end(flat);
}

/// Rejects pages that would keep the parser busy for hours: its time is quadratic in the depth and
/// in the number of attributes of an element. An estimate based on tags alone.
class TagCheck {
 public:
  TagCheck(const Text& text, const ReadLimits& limits)
      : text_(text), bytes_(text.bytes()), limits_(limits) {}

  void run() {
    for (std::size_t at = bytes_.find('<'); at < bytes_.size(); at = bytes_.find('<', at)) {
      if (bytes_.substr(at).starts_with("<!--")) {
        at = std::min(bytes_.find("-->", at), bytes_.size());
        continue;
      }
      const bool ends = at + 1 < bytes_.size() && bytes_[at + 1] == '/';
      const std::size_t name = at + (ends ? 2 : 1);
      if (name >= bytes_.size() || !is_letter(bytes_[name])) {
        ++at;
        continue;
      }
      const std::size_t name_end =
          std::min(bytes_.find_first_of(" \t\r\n\f/>", name), bytes_.size());
      const std::string tag =
          ascii_lower_case(bytes_.substr(name, std::min(name_end - name, longest)));
      count(at, tag, ends);
      at = skip_attributes(at, name_end);
    }
  }

 private:
  static constexpr std::size_t longest = 32;
  static constexpr std::size_t deepest = 5'000;

  void count(std::size_t at, const std::string& tag, bool ends) {
    const bool foreign = tag == "svg" || tag == "math";
    if (ends) {
      depth_ -= nests(tag) && depth_ > 0 ? 1 : 0;
      foreign_ -= foreign && foreign_ > 0 ? 1 : 0;
    } else if (nests(tag)) {
      ++depth_;
      foreign_ += foreign ? 1 : 0;
      const std::uint64_t most = std::min<std::uint64_t>(deepest, limits_.depth);
      if (depth_ > most) {
        text_.fail(at, most == deepest
                           ? "elements nested more than 5000 deep: too deep to parse as HTML"
                           : beyond_limit("a tree", most, "levels", "max-depth"));
      }
    }
  }

  /// The position after the tag.
  std::size_t skip_attributes(std::size_t begin, std::size_t at) {
    std::uint64_t attributes = 0;
    for (; at < bytes_.size() && bytes_[at] != '>'; ++at) {
      const char c = bytes_[at];
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '/';
      const char before = bytes_[at - 1];
      if (!blank && (before == ' ' || before == '\n' || before == '\t' || before == '/')) {
        ++attributes;
      } else if ((c == '"' || c == '\'') && before == '=') {
        at = std::min(bytes_.find(c, at + 1), bytes_.size() - 1);
      }
    }
    if (attributes > limits_.attributes) {
      text_.fail(begin,
                 beyond_limit("an element", limits_.attributes, "attributes", "max-attributes"));
    }
    if (foreign_ > 0 && depth_ > 0 && at < bytes_.size() && bytes_[at - 1] == '/') --depth_;
    return std::min(at + 1, bytes_.size());
  }

  const Text& text_;
  std::string_view bytes_;
  const ReadLimits& limits_;
  std::size_t depth_ = 0;
  std::size_t foreign_ = 0;  ///< open foreign elements (svg, math), where "/>" closes an element
};

/// One example per page.
class HtmlReader final : public ExampleReader {
 public:
  HtmlReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), limits_(options.limits), builder_(limits_, options.mapping) {}

  bool next(Example& example) override {
    if (source_.peek().empty()) return false;
    begin_at(source_);
    std::string bytes;
    source_.take_all(bytes);
    const Text text(bytes, source_.name(), location().line, location().column);
    TagCheck(text, limits_).run();
    example = {};
    builder_.start(add_tree(example));
    constexpr std::size_t at_least = std::size_t{1} << 26;
    try {
      const HtmlPage page(bytes, at_least + 1000 * bytes.size());
      build(text, page.root());
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      throw InputError(location(), error.what());
    }
    return true;
  }

 private:
  struct Open {
    const GumboNode* node;
    unsigned next_child;
  };

  void build(const Text& text, const GumboNode& root) {
    open_.clear();
    open_element(text, root);
    while (!open_.empty()) {
      const GumboElement& element = open_.back().node->v.element;
      if (open_.back().next_child == element.children.length) {
        builder_.close(text, place(text, element));
        open_.pop_back();
        continue;
      }
      const auto* const child =
          static_cast<const GumboNode*>(element.children.data[open_.back().next_child++]);
      if (child->type == GUMBO_NODE_ELEMENT || child->type == GUMBO_NODE_TEMPLATE) {
        open_element(text, *child);
      } else if (child->type == GUMBO_NODE_TEXT && element.tag != GUMBO_TAG_SCRIPT &&
                 element.tag != GUMBO_TAG_STYLE) {
        builder_.append_text(child->v.text.text);
      }
    }
  }

  void open_element(const Text& text, const GumboNode& node) {
    const GumboElement& element = node.v.element;
    const std::size_t at = place(text, element);
    for (unsigned i = 0; i < element.attributes.length; ++i) {
      const auto* const attribute = static_cast<const GumboAttribute*>(element.attributes.data[i]);
      builder_.attribute(text, at, attribute->name, attribute->value);
    }
    builder_.open(text, at, tag_name(element));
    open_.push_back({&node, 0});
  }

  static std::string tag_name(const GumboElement& element) {
    if (element.tag != GUMBO_TAG_UNKNOWN) return gumbo_normalized_tagname(element.tag);
    GumboStringPiece name = element.original_tag;
    gumbo_tag_from_original_text(&name);
    return ascii_lower_case({name.data, name.length});
  }

  static std::size_t place(const Text& text, const GumboElement& element) {
    return std::min<std::size_t>(element.start_pos.offset, text.size());
  }

  Source source_;
  ReadLimits limits_;
  ElementBuilder builder_;
  std::vector<Open> open_;
};

constexpr std::string_view html_suffixes[] = {".html", ".htm"};

}  // namespace

const Format html_format = {
    .name = "html",
    .description = "an HTML page, however broken: a node for each element",
    .suffixes = html_suffixes,
    .matches =
        [](std::string_view line) {
          const std::size_t begin = line.find_first_not_of(" \t");
          const std::string start = ascii_lower_case(line.substr(begin, 14));
          return start.starts_with("<!doctype html") || start.starts_with("<html");
        },
    .reader = make_reader<HtmlReader>,
};

}  // namespace espalier
