#pragma once

#include <functional>
#include <string>
#include <vector>

#include "espalier/base/error.hpp"
#include "espalier/io/source.hpp"
#include "espalier/represent/sentence.hpp"

namespace espalier {

/// Reads sentences from a CoNLL-U file, one at a time. Multiword tokens and empty nodes are
/// skipped; enhanced dependencies and columns after the tenth are kept verbatim. Comments about a
/// document or paragraph apply to all of its sentences.
class SentenceReader {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// `warn`, which may be empty, is called once if the file contains what trees cannot represent.
  explicit SentenceReader(Source source, Warn warn = {});

  /// Replaces `sentence` by the next one; returns false at the end. Its heads form a tree. Its
  /// metadata come from its own comments, those of its document (between "newdoc" and "sent_id"),
  /// "newpar id" of its paragraph, and "text", which is joined from the words if no comment has it.
  /// Throws InputError with line and column.
  bool next(Sentence& sentence);

  /// The location of its first word.
  Location location() const { return location_of(0); }
  /// An error at the word of that index.
  [[noreturn]] void fail(std::size_t word, std::string_view message) const;

 private:
  struct Place {
    std::uint64_t line;
    std::uint64_t column;
  };
  using Metadata = std::vector<std::pair<std::string, std::string>>;

  Location location_of(std::size_t word) const;
  void read_comment(const Text& line, Sentence& sentence);
  void read_word(const Text& line, Sentence& sentence);
  bool skip_token(const Text& id, std::size_t words);
  void add_surface(std::size_t last);
  void note_graph();
  void finish(Sentence& sentence);
  void inherit(Sentence& sentence);

  Source source_;
  Warn warn_;
  bool noted_ = false;
  std::vector<Text> fields_;      ///< of the current line
  std::uint64_t line_ = 0;        ///< its number
  std::vector<Place> words_;      ///< location of the head column of each word
  std::size_t last_surface_ = 0;  ///< the words up to this id are in surface_
  std::string surface_;
  Metadata document_;
  Metadata paragraph_;
};

}  // namespace espalier
