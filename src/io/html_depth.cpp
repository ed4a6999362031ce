#include "io/html_depth.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "io/ascii.hpp"

namespace espalier {

namespace {

constexpr std::string_view html_blanks = " \t\r\n\f";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_html_blank(char c) { return html_blanks.find(c) != std::string_view::npos; }

using Tags = std::span<const std::string_view>;

/// They have no content.
constexpr std::string_view empty_tags[] = {
    "area", "base",  "basefont", "bgsound", "br",   "col",   "embed",  "frame", "hr", "image",
    "img",  "input", "link",     "keygen",  "meta", "param", "source", "track", "wbr"};
/// The next one of their kind closes them.
constexpr std::string_view flat_tags[] = {
    "html",  "head",  "body",  "p",      "li",       "dt",       "dd", "tr",   "td",    "th",
    "thead", "tbody", "tfoot", "option", "optgroup", "colgroup", "a",  "nobr", "button"};
/// Their content is text, unless they are in svg.
constexpr std::string_view raw_tags[] = {"title",  "textarea", "style",    "script",   "xmp",
                                         "iframe", "noembed",  "noframes", "plaintext"};
/// Only their own end tags close them, and close them alone. So it is with forms.
constexpr std::string_view formatting_tags[] = {
    "b", "big", "code", "em", "font", "form", "i", "s", "small", "strike", "strong", "tt", "u"};
/// End tags have no effect beyond these.
constexpr std::string_view scope_tags[] = {"applet", "caption", "marquee", "object",
                                           "select", "table",   "template"};
/// Likewise, if they are in svg or math.
constexpr std::string_view foreign_scope_tags[] = {
    "mi", "mo", "mn", "ms", "mtext", "foreignobject", "desc", "annotation-xml"};
/// End tags of ordinary elements have no effect beyond these.
constexpr std::string_view special_tags[] = {
    "address", "article",  "aside",      "blockquote", "center", "details",  "dir",     "div",
    "dl",      "fieldset", "figcaption", "figure",     "footer", "frameset", "h1",      "h2",
    "h3",      "h4",       "h5",         "h6",         "header", "hgroup",   "listing", "main",
    "menu",    "nav",      "noscript",   "ol",         "pre",    "section",  "summary", "ul"};
constexpr std::string_view tags_that_end_svg[] = {
    "b",      "big",    "blockquote", "body",  "br",    "center", "code", "dd",      "div",
    "dl",     "dt",     "em",         "embed", "font",  "h1",     "h2",   "h3",      "h4",
    "h5",     "h6",     "head",       "hr",    "i",     "img",    "li",   "listing", "menu",
    "meta",   "nobr",   "ol",         "p",     "pre",   "ruby",   "s",    "small",   "span",
    "strong", "strike", "sub",        "sup",   "table", "tt",     "u",    "ul",      "var"};

bool contains(Tags tags, std::string_view tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

}  // namespace

HtmlDepth::Name& HtmlDepth::name_of(std::string_view tag) {
  const auto [found, is_new] = names_.try_emplace(std::string(tag));
  Name& name = found->second;
  if (!is_new) return name;
  const std::pair<Tags, Kind> kinds[] = {{empty_tags, Kind::empty},
                                         {flat_tags, Kind::flat},
                                         {raw_tags, Kind::raw_text},
                                         {formatting_tags, Kind::formatting},
                                         {scope_tags, Kind::scope},
                                         {special_tags, Kind::special},
                                         {foreign_scope_tags, Kind::foreign_scope}};
  for (const auto& [tags, kind] : kinds) {
    if (contains(tags, tag)) name.kind = kind;
  }
  name.ends_foreign = contains(tags_that_end_svg, tag);
  return name;
}

bool HtmlDepth::next() {
  for (at_ = page_.find('<', at_); at_ < page_.size(); at_ = page_.find('<', at_)) {
    begin_ = at_;
    const bool ends = byte(at_ + 1) == '/';
    if (is_letter(byte(at_ + (ends ? 2 : 1)))) {
      at_ += ends ? 2 : 1;
      std::string tag;
      const bool closes_itself = read_tag(tag);
      if (!ends) {
        start(tag, closes_itself);
        return true;
      }
      end(tag);
    } else if (page_.substr(at_).starts_with("<!--")) {
      skip_comment();
    } else {
      skip_declaration();
    }
  }
  return false;
}

/// Goes behind the tag; whether it ends in "/>". If it may be text, goes behind its name only:
/// there may be other tags where its attributes seem to be.
bool HtmlDepth::read_tag(std::string& tag) {
  tag = ascii_lower_case(read_name());
  const std::size_t after_name = at_;
  if (begin_ >= certain_from_) return read_attributes();
  constexpr int most_doubts = 1'000;  // each may go through the whole page
  if (++doubts_ > most_doubts) doubt_until(page_.size());
  if (certain_from_ < page_.size()) {
    read_attributes();
    doubt_until(at_);
    at_ = after_name;
  }
  attributes_ = 0;
  return false;
}

std::string_view HtmlDepth::read_name() {
  constexpr std::size_t longest = 32;
  const std::size_t begin = at_;
  at_ = std::min(page_.find_first_of(" \t\r\n\f/>", at_), page_.size());
  return page_.substr(begin, std::min(at_ - begin, longest));
}

/// Goes behind the tag; whether it ends in "/>".
bool HtmlDepth::read_attributes() {
  attributes_ = 0;
  bool slash = false;
  while (at_ < page_.size() && page_[at_] != '>') {
    slash = page_[at_] == '/';
    if (slash || is_html_blank(page_[at_])) {
      ++at_;
      continue;
    }
    ++attributes_;  // its name may start with '='
    at_ = std::min(page_.find_first_of("= \t\r\n\f/>", at_ + 1), page_.size());
    const std::size_t equals = page_.find_first_not_of(html_blanks, at_);
    if (equals < page_.size() && page_[equals] == '=') {
      at_ = std::min(page_.find_first_not_of(html_blanks, equals + 1), page_.size());
      skip_value();
    }
  }
  at_ = std::min(at_ + 1, page_.size());
  return slash;
}

void HtmlDepth::skip_value() {
  const char quote = byte(at_);
  if (quote == '"' || quote == '\'') {
    const std::size_t end = page_.find(quote, at_ + 1);
    at_ = end == page_.npos ? page_.size() : end + 1;
  } else {
    at_ = std::min(page_.find_first_of(" \t\r\n\f>", at_), page_.size());
  }
}

/// From at_ on.
std::size_t HtmlDepth::next_place(Place& place, std::string_view text) const {
  if (place.at <= at_) place.at = page_.find(text, at_);
  return place.at;
}

void HtmlDepth::skip_comment() {
  at_ += 2;  // "<!-->" is a comment
  const std::size_t end =
      std::min(next_place(next_comment_end_, "-->"), next_place(next_other_comment_end_, "--!>"));
  const std::size_t after = end == page_.npos ? page_.size() : end + 3;
  if (begin_ >= certain_from_) {
    at_ = after;
  } else {
    doubt_until(after);
  }
}

/// A declaration, or whatever else is no tag: what looks like tags in it has no effect.
void HtmlDepth::skip_declaration() {
  const bool data = page_.substr(at_).starts_with("<![CDATA[");
  const char sign = byte(at_ + 1);
  if (sign == '!' || sign == '?' || sign == '/') {
    doubt_until(data ? next_place(next_data_end_, "]]>") : next_place(next_bracket_, ">"));
  }
  ++at_;
}

/// From here on it is not certain any more that elements are of svg or math.
void HtmlDepth::leave_foreign() {
  for (auto open = open_.rbegin(); open != open_.rend() && open->state == State::foreign; ++open) {
    open->state = State::doubtful;
  }
}

void HtmlDepth::start(std::string_view tag, bool closes_itself) {
  Name& name = name_of(tag);
  const bool certain = begin_ >= certain_from_;
  const bool begins = tag == "svg" || tag == "math";
  if (name.ends_foreign) leave_foreign();
  const bool foreign = begins || (!open_.empty() && open_.back().state == State::foreign &&
                                  open_.back().kind != Kind::foreign_scope);
  const bool perhaps_foreign = svg_.open + math_.open > 0;
  if (name.kind == Kind::raw_text) {
    const std::size_t end = end_of_raw_text(tag, name);
    if (certain && !perhaps_foreign && select_.open == 0) {
      at_ = end;
      return;
    }
    doubt_until(end);
  }
  if (name.kind <= Kind::raw_text && (!perhaps_foreign || name.ends_foreign)) return;
  if (foreign && closes_itself) return;
  Kind kind = name.kind <= Kind::raw_text ? Kind::ordinary : name.kind;
  if (tag == "title") kind = Kind::foreign_scope;
  const bool only_if_foreign = closes_itself || name.kind <= Kind::raw_text;
  const bool doubtful = !certain || (perhaps_foreign && !foreign && only_if_foreign);
  open_.push_back({&name, kind,
                   doubtful  ? State::doubtful
                   : foreign ? State::foreign
                             : State::html});
  ++name.open;
}

/// Its content ends with its end tag, in scripts after comments that hold others.
std::size_t HtmlDepth::end_of_raw_text(std::string_view tag, Name& name) {
  if (name.end_tag.at <= at_) name.end_tag.at = find_end_tag(tag, at_);
  std::size_t end = tag == "plaintext" ? page_.size() : name.end_tag.at;
  if (tag == "script") {
    const std::size_t comment = page_.substr(0, end).find("<!--", at_);
    if (comment != page_.npos && page_.substr(0, end).find("<script", comment) != page_.npos) {
      end = find_end_tag(tag, std::min(page_.find("-->", comment), page_.size()));
    }
  }
  return end;
}

std::size_t HtmlDepth::find_end_tag(std::string_view tag, std::size_t from) const {
  for (from = page_.find("</", from); from < page_.size(); from = page_.find("</", from + 2)) {
    const char after = byte(from + 2 + tag.size());
    if (ascii_lower_case(page_.substr(from + 2, tag.size())) == tag &&
        (is_html_blank(after) || after == '/' || after == '>')) {
      return from;
    }
  }
  return page_.size();
}

void HtmlDepth::end(std::string_view tag) {
  if (begin_ < certain_from_ || !close(name_of(tag))) leave_foreign();
}

/// Closes an element and those in it, except formatting elements, which parsers open again.
void HtmlDepth::close_from(std::size_t index) {
  const auto first = open_.begin() + static_cast<std::ptrdiff_t>(index);
  --first->name->open;
  if (first->kind == Kind::formatting || first->state == State::doubtful) {
    open_.erase(first);
    return;
  }
  const auto kept = std::remove_if(std::next(first), open_.end(), [](const Open& open) {
    if (open.kind == Kind::formatting) return false;
    --open.name->open;
    return true;
  });
  open_.erase(kept, open_.end());
  open_.erase(first);
}

/// Whether an element was closed.
bool HtmlDepth::close(Name& name) {
  if (name.open == 0) return false;
  constexpr int most_specials = 7;  // beyond them, formatting elements are not closed
  const bool formatting = name.kind == Kind::formatting;
  int specials = 0;
  for (std::size_t k = open_.size(); k-- > 0;) {
    if (open_[k].name == &name) {
      close_from(k);
      return true;
    }
    const Kind here = open_[k].kind;
    specials += here == Kind::special ? 1 : 0;
    const bool phrasing = name.kind != Kind::special && name.kind != Kind::scope;
    if (here >= Kind::scope || (here == Kind::special && phrasing && !formatting)) return false;
    if (formatting && specials > most_specials) return false;
  }
  return false;
}

}  // namespace espalier
