#pragma once

#include <functional>
#include <string>
#include <vector>

#include "espalier/base/error.hpp"
#include "espalier/io/source.hpp"
#include "espalier/represent/sentence.hpp"

namespace espalier {

/// Reads sentences from a CoNLL-U file, one at a time, of any length. Lines of multiword tokens and
/// empty nodes are skipped, enhanced dependencies kept as they stand; columns after the tenth are
/// kept. What comments say of a document or paragraph holds for all of its sentences.
class SentenceReader {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// `warn` is called once if the file has what trees cannot show; it may be empty.
  explicit SentenceReader(Source source, Warn warn = {});

  /// Replaces `sentence` by the next one; false at the end. Its heads make a tree. Its metadata are
  /// those of its own comments, those of its document (between "newdoc" and "sent_id"), "newpar id"
  /// of its paragraph, and "text", put together from the words if no comment says it.
  /// Throws InputError with line and column.
  bool next(Sentence& sentence);

  /// Where the sentence begins: at its first word.
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
  std::vector<Text> fields_;      ///< of the line at hand
  std::uint64_t line_ = 0;        ///< its number
  std::vector<Place> words_;      ///< where the head of each word stands
  std::size_t last_surface_ = 0;  ///< the words up to this id are in surface_
  std::string surface_;
  Metadata document_;
  Metadata paragraph_;
};

}  // namespace espalier
