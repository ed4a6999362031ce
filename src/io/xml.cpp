#include <algorithm>
#include <charconv>

#include "base/utf8.hpp"
#include "espalier/base/error.hpp"
#include "io/ascii.hpp"
#include "io/element.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// XML without its dangerous parts: the document type is skipped, entity declarations are errors,
/// and no other file is ever read. A parser of our own, because a million nested elements need an
/// explicit stack. It does not check what does not affect the tree, such as duplicate attributes.
class XmlParser {
 public:
  explicit XmlParser(const ReadOptions& options) : builder_(options.limits, options.mapping) {}

  void parse(const Text& text, Tree& tree) {
    text_ = text;
    tree_ = &tree;
    bytes_ = text.bytes();
    at_ = 0;
    open_.clear();
    builder_.start(tree);
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '<') {
        read_markup();
      } else {
        read_text();
      }
    }
    if (!open_.empty()) text_.fail(open_.back().at, "the element that begins here is never closed");
    if (tree.empty()) text_.fail(bytes_.size(), "there is no element");
  }

 private:
  struct Open {
    std::size_t at;
    std::size_t length;  ///< of the name, after the '<'
  };

  bool ahead(std::string_view mark) const { return bytes_.substr(at_).starts_with(mark); }

  void read_markup() {
    if (ahead("<!--")) {
      skip_past("-->", "comment");
    } else if (ahead("<?")) {
      skip_past("?>", "processing instruction");
    } else if (ahead("<![CDATA[")) {
      read_character_data();
    } else if (ahead("<!DOCTYPE")) {
      skip_document_type();
    } else if (ahead("</")) {
      read_end_tag();
    } else {
      read_start_tag();
    }
  }

  /// Advances past `end`; `what` names the construct that starts here.
  void skip_past(std::string_view end, std::string_view what) {
    const std::size_t found = bytes_.find(end, at_);
    if (found == bytes_.npos) {
      text_.fail(
          at_, "the " + std::string(what) + " that starts here is missing its " + std::string(end));
    }
    at_ = found + end.size();
  }

  void read_character_data() {
    constexpr std::string_view mark = "<![CDATA[";
    const std::size_t begin = at_ + mark.size();
    if (open_.empty()) text_.fail(at_, "text outside of the root element");
    skip_past("]]>", "CDATA section");
    builder_.append_text(bytes_.substr(begin, at_ - 3 - begin));
  }

  /// Entities could make a small file huge or read another file. The rest is irrelevant here.
  void skip_document_type() {
    const std::size_t begin = at_;
    bool subset = false;
    for (; at_ < bytes_.size(); ++at_) {
      const char c = bytes_[at_];
      if (c == '"' || c == '\'') {
        at_ = std::min(bytes_.find(c, at_ + 1), bytes_.size() - 1);
      } else if (ahead("<!--")) {
        skip_past("-->", "comment");
        --at_;
      } else if (ahead("<!ENTITY")) {
        text_.fail(at_, "entity declarations are not supported");
      } else if (c == '[' || c == ']') {
        subset = c == '[';
      } else if (c == '>' && !subset) {
        ++at_;
        return;
      }
    }
    text_.fail(begin, "the document type that starts here is missing its '>'");
  }

  void read_end_tag() {
    const std::size_t begin = at_;
    at_ += 2;
    const std::string_view name = read_name();
    skip_blanks();
    if (open_.empty()) text_.fail(begin, "an end tag without its start tag");
    const std::string_view open = bytes_.substr(open_.back().at + 1, open_.back().length);
    if (name != open) {
      text_.fail(begin,
                 "the end tag of " + in_quotes(name) + " where " + in_quotes(open) + " is open");
    }
    expect('>');
    open_.pop_back();
    builder_.close(text_, begin);
  }

  void read_start_tag() {
    const std::size_t begin = at_++;
    const std::string_view name = read_name();
    if (name.empty()) text_.fail(begin, "a '<' that begins no element; in text it is written &lt;");
    if (open_.empty() && !tree_->empty()) text_.fail(begin, "a second root element");
    skip_blanks();
    while (at_ < bytes_.size() && bytes_[at_] != '>' && bytes_[at_] != '/') read_attribute();
    const bool empty = at_ < bytes_.size() && bytes_[at_] == '/';
    if (empty) ++at_;
    expect('>');
    builder_.open(text_, begin, name);
    if (empty) {
      builder_.close(text_, begin);
    } else {
      open_.push_back({begin, name.size()});
    }
  }

  void read_attribute() {
    const std::size_t begin = at_;
    const std::string_view name = read_name();
    if (name.empty()) text_.fail(at_, "expected an attribute, '>' or '/>'");
    skip_blanks();
    expect('=');
    skip_blanks();
    const char quote = at_ < bytes_.size() ? bytes_[at_] : '\0';
    const std::size_t end = bytes_.find(quote, at_ + 1);
    if ((quote != '"' && quote != '\'') || end == bytes_.npos) {
      text_.fail(begin, "the value of an attribute must be quoted");
    }
    value_.clear();
    decode(at_ + 1, end, value_);
    at_ = end + 1;
    skip_blanks();
    builder_.attribute(text_, begin, name, value_);
  }

  void read_text() {
    const std::size_t begin = at_;
    at_ = std::min(bytes_.find('<', at_), bytes_.size());
    if (open_.empty()) {
      const std::size_t ink = bytes_.find_first_not_of(blanks, begin);
      if (ink < at_) text_.fail(ink, "text outside of the root element");
      return;
    }
    value_.clear();
    decode(begin, at_, value_);
    builder_.append_text(value_);
  }

  /// Appends the text between two positions with its references resolved.
  void decode(std::size_t begin, std::size_t end, std::string& out) {
    constexpr std::size_t longest = 32;
    // Searches end where the text does: the rest of the document may be long.
    const std::string_view text = bytes_.substr(0, end);
    while (begin < end) {
      const std::size_t reference = std::min(text.find('&', begin), end);
      out.append(text.substr(begin, reference - begin));
      if (reference == end) return;
      const std::size_t length = text.substr(reference, longest + 1).find(';');
      const std::size_t semicolon = reference + length;
      if (length == text.npos) {
        text_.fail(reference, "a '&' that begins no reference; in a text it is &amp;");
      }
      append_reference(reference, bytes_.substr(reference + 1, semicolon - reference - 1), out);
      begin = semicolon + 1;
    }
  }

  void append_reference(std::size_t at, std::string_view name, std::string& out) const {
    constexpr std::pair<std::string_view, char> known[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [word, meaning] : known) {
      if (name == word) {
        out += meaning;
        return;
      }
    }
    if (!name.starts_with('#')) text_.fail(at, "an unknown entity; only the five of XML are known");
    name.remove_prefix(1);
    const bool hex = name.starts_with('x');
    if (hex) name.remove_prefix(1);
    std::uint32_t code = 0;
    const char* const end = name.data() + name.size();
    const auto [after, fault] = std::from_chars(name.data(), end, code, hex ? 16 : 10);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (fault != std::errc() || after != end || code == 0 || code > 0x10FFFF || surrogate) {
      text_.fail(at, "a reference to no character");
    }
    append_utf8(out, code);
  }

  std::string_view read_name() {
    const std::size_t begin = at_;
    at_ = std::min(bytes_.find_first_of(" \t\r\n/>=<&\"'", at_), bytes_.size());
    return bytes_.substr(begin, at_ - begin);
  }
  void skip_blanks() { at_ = std::min(bytes_.find_first_not_of(blanks, at_), bytes_.size()); }
  void expect(char c) {
    if (at_ == bytes_.size() || bytes_[at_] != c) text_.fail(at_, std::string("expected ") + c);
    ++at_;
  }

  ElementBuilder builder_;
  Tree* tree_ = nullptr;
  Text text_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  std::string value_;
};

/// One example per document.
class XmlReader final : public ExampleReader {
 public:
  XmlReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(options) {}

  bool next(Example& example) override {
    begin_at(source_);
    std::string text;
    source_.take_all(text);
    if (text.find_first_not_of(blanks) == std::string::npos) return false;
    example = {};
    parser_.parse(Text(text, source_.name(), location().line, location().column),
                  add_tree(example));
    return true;
  }

 private:
  Source source_;
  XmlParser parser_;
};

constexpr std::string_view xml_suffixes[] = {".xml", ".svg", ".xhtml", ".rss", ".kml"};

}  // namespace

const Format xml_format = {
    .name = "xml",
    .description = "an XML document: a node for each element; no entities of its own",
    .suffixes = xml_suffixes,
    .matches =
        [](std::string_view line) {
          line = line.substr(line.find_first_not_of(" \t"));
          if (!line.starts_with('<') || line.size() < 2) return false;
          const char c = line[1];
          return c == '?' || c == '!' || c == '_' || (c >= 'A' && c <= 'Z') ||
                 (c >= 'a' && c <= 'z');
        },
    .reader = make_reader<XmlReader>,
};

}  // namespace espalier
