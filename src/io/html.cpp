#include <algorithm>

#include "espalier/base/error.hpp"
#include "io/ascii.hpp"
#include "io/element.hpp"
#include "io/formats.hpp"
#include "io/html_depth.hpp"
#include "io/html_parser.hpp"

namespace espalier {

namespace {

/// Rejects pages that would keep the parser busy for hours: its time is quadratic in the depth and
/// in the number of attributes of an element.
void check_tags(const Text& text, const ReadLimits& limits) {
  constexpr std::size_t deepest = 5'000;
  const std::uint64_t most = std::min<std::uint64_t>(deepest, limits.depth);
  for (HtmlDepth tags(text.bytes()); tags.next();) {
    if (tags.depth() > most) {
      text.fail(tags.at(), most == deepest
                               ? "elements nested more than 5000 deep: too deep to parse as HTML"
                               : beyond_limit("a tree", most, "levels", "max-depth"));
    }
    if (tags.attributes() > limits.attributes) {
      text.fail(tags.at(),
                beyond_limit("an element", limits.attributes, "attributes", "max-attributes"));
    }
  }
}

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
    check_tags(text, limits_);
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
