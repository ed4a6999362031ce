#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace espalier {

/// How deep an HTML parser may nest the elements of a page, found from its tags alone: whatever may
/// be a start tag counts, an end tag only where a parser is sure to obey it. Broken pages may be
/// less deep. Pages are not much deeper: elements such as cells, which cannot nest by themselves,
/// do not count. Linear in the page times the depth.
class HtmlDepth {
 public:
  explicit HtmlDepth(std::string_view page)
      : page_(page), svg_(name_of("svg")), math_(name_of("math")), select_(name_of("select")) {}

  /// Goes to the next start tag; false at the end.
  bool next();
  /// Where that tag starts.
  std::size_t at() const { return begin_; }
  std::uint64_t attributes() const { return attributes_; }
  /// With the element of that tag.
  std::size_t depth() const { return open_.size(); }

 private:
  /// A place that was searched for once: it is the next one until it is passed.
  struct Place {
    std::size_t at = 0;
  };
  enum class Kind : std::uint8_t {
    empty,
    flat,
    raw_text,
    formatting,
    ordinary,
    special,
    scope,
    foreign_scope
  };
  struct Name {
    Kind kind = Kind::ordinary;
    bool ends_foreign = false;  ///< a start tag that ends svg and math
    std::size_t open = 0;
    Place end_tag{};  ///< the next one
  };
  /// Foreign is svg or math, or of these. Doubtful: perhaps its tag was text, or it has been
  /// closed.
  enum class State : std::uint8_t { html, foreign, doubtful };
  struct Open {
    Name* name;
    Kind kind;
    State state;
  };

  std::string_view read_name();
  bool read_tag(std::string& tag);
  bool read_attributes();
  void doubt_until(std::size_t place) { certain_from_ = std::max(certain_from_, place); }
  void skip_value();
  void skip_comment();
  void skip_declaration();
  void start(std::string_view tag, bool closes_itself);
  void end(std::string_view tag);
  bool close(Name& name);
  void close_from(std::size_t index);
  void leave_foreign();
  std::size_t end_of_raw_text(std::string_view tag, Name& name);
  std::size_t next_place(Place& place, std::string_view text) const;
  std::size_t find_end_tag(std::string_view tag, std::size_t from) const;
  Name& name_of(std::string_view tag);
  char byte(std::size_t at) const { return at < page_.size() ? page_[at] : '\0'; }

  std::string_view page_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::uint64_t attributes_ = 0;
  std::size_t certain_from_ = 0;  ///< what looks like a tag or a comment before may be text
  int doubts_ = 0;                ///< tags that may have been text
  Place next_bracket_, next_data_end_, next_comment_end_, next_other_comment_end_;
  std::vector<Open> open_;
  std::unordered_map<std::string, Name> names_;
  Name& svg_;
  Name& math_;
  Name& select_;
};

}  // namespace espalier
