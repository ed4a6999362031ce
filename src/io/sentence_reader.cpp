#include "espalier/io/sentence_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <unordered_set>

#include "espalier/io/limited_builder.hpp"

namespace espalier {

namespace {

constexpr std::size_t standard_columns = 10;
constexpr std::string_view column_names[standard_columns] = {
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};

std::optional<std::uint32_t> parse_id(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return id;
}

void split(const Text& line, const ReadLimits& limits, std::vector<Text>& fields) {
  fields.clear();
  for (std::size_t begin = 0;;) {
    check_parts(limits, fields.size() + 1, "columns", line, begin);
    const std::size_t tab = line.bytes().find('\t', begin);
    fields.push_back(line.part(begin, tab - begin));
    if (tab == std::string_view::npos) return;
    begin = tab + 1;
  }
}

bool begins_document(std::string_view key) { return key == "newdoc" || key == "newdoc id"; }
bool begins_paragraph(std::string_view key) { return key == "newpar" || key == "newpar id"; }

}  // namespace

SentenceReader::SentenceReader(Source source, Warn warn)
    : source_(std::move(source)), warn_(std::move(warn)) {}

bool SentenceReader::next(Sentence& sentence) {
  sentence = {};
  words_.clear();
  surface_.clear();
  last_surface_ = 0;
  Text line;
  while (line_ = source_.line(), source_.next_line(line)) {
    if (line.trimmed().empty()) {
      if (!sentence.words.empty()) break;
    } else if (line[0] == '#') {
      if (!sentence.words.empty()) {
        line.fail(0, "a comment inside a sentence; a blank line ends a sentence");
      }
      read_comment(line, sentence);
    } else {
      split(line, source_.limits(), fields_);
      read_word(line, sentence);
    }
  }
  if (sentence.words.empty()) return false;
  finish(sentence);
  return true;
}

void SentenceReader::fail(std::size_t word, std::string_view message) const {
  throw InputError(location_of(word), message);
}

Location SentenceReader::location_of(std::size_t word) const {
  return {source_.name(), words_[word].line, words_[word].column};
}

void SentenceReader::read_comment(const Text& line, Sentence& sentence) {
  check_parts(source_.limits(), sentence.metadata.size() + 1, "comments", line, 0);
  const Text comment = line.part(1).trimmed();
  const std::size_t equals = comment.bytes().find('=');
  if (equals != std::string_view::npos) {
    sentence.metadata.emplace_back(comment.part(0, equals).trimmed().bytes(),
                                   comment.part(equals + 1).trimmed().bytes());
  } else if (begins_document(comment.bytes()) || begins_paragraph(comment.bytes())) {
    sentence.metadata.emplace_back(comment.bytes(), "");
  }
}

void SentenceReader::read_word(const Text& line, Sentence& sentence) {
  if (fields_.size() < standard_columns) {
    line.fail(0, fmt::format("expected {} columns between tabs, found {}", standard_columns,
                             fields_.size()));
  }
  const std::size_t count = sentence.words.size();
  if (skip_token(fields_[0], count)) return;
  if (parse_id(fields_[0].bytes()) != count + 1) {
    fields_[0].fail(0, fmt::format("expected the id {}", count + 1));
  }
  for (std::size_t i = 0; i < standard_columns; ++i) {
    if (fields_[i].empty()) {
      line.fail(0, fmt::format("the column {} is empty; '_' means unspecified", column_names[i]));
    }
  }
  const std::size_t extra = fields_.size() - standard_columns;
  if (count > 0 && extra != sentence.words[0].columns.size()) {
    line.fail(0, fmt::format("{} columns, where the first word has {}", fields_.size(),
                             sentence.words[0].columns.size() + standard_columns));
  }
  if (const auto most = source_.limits().nodes; count >= most) {
    line.fail(0, beyond_limit("a sentence", most, "words", "max-nodes"));
  }
  const auto head = parse_id(fields_[6].bytes());
  if (!head) fields_[6].fail(0, "expected the id of the head, or 0 for the root");
  const auto field = [&](std::size_t i) { return std::string(fields_[i].bytes()); };
  Word& word = sentence.words.emplace_back(Word{
      field(1), field(2), field(3), field(4), field(5), *head, field(7), field(8), field(9), {}});
  for (std::size_t i = standard_columns; i < fields_.size(); ++i) word.columns.push_back(field(i));
  const auto column = static_cast<std::uint64_t>(fields_[6].bytes().data() - line.bytes().data());
  words_.push_back({line_, column + 1});
  if (last_surface_ <= count) add_surface(count + 1);
  if (!noted_ && word.deps != "_" && word.deps != fmt::format("{}:{}", word.head, word.deprel)) {
    note_graph();
  }
}

bool SentenceReader::skip_token(const Text& id, std::size_t words) {
  const std::size_t mark = id.bytes().find_first_of("-.");
  if (mark == std::string_view::npos) return false;
  const auto first = parse_id(id.bytes().substr(0, mark));
  const auto last = parse_id(id.bytes().substr(mark + 1));
  if (id[mark] == '.') {
    if (!first || !last || *first != words) {
      id.fail(0, fmt::format("expected the id {}, or {}.1 of an empty node", words + 1, words));
    }
    note_graph();
  } else {
    if (!first || !last || *first != words + 1 || *last <= *first) {
      id.fail(0, fmt::format("expected the id {}, or a token that begins with it", words + 1));
    }
    if (last_surface_ > words) id.fail(0, "two multiword tokens overlap");
    add_surface(*last);
  }
  return true;
}

void SentenceReader::add_surface(std::size_t last) {
  surface_ += fields_[1].bytes();
  if (fields_[9].bytes().find("SpaceAfter=No") == std::string_view::npos) surface_ += ' ';
  last_surface_ = last;
}

void SentenceReader::note_graph() {
  if (!noted_ && warn_) {
    warn_(source_.name() + ": empty nodes and enhanced dependencies (column DEPS) are ignored");
  }
  noted_ = true;
}

void SentenceReader::finish(Sentence& sentence) {
  if (last_surface_ > sentence.words.size()) {
    fail(sentence.words.size() - 1,
         fmt::format("a multiword token reaches to word {}, which is not there", last_surface_));
  }
  if (const auto fault = find_head_fault(sentence)) fail(fault->word, fault->message);
  inherit(sentence);
  if (sentence.find("text") == nullptr) {
    if (surface_.ends_with(' ')) surface_.pop_back();
    sentence.metadata.emplace_back("text", surface_);
  }
}

void SentenceReader::inherit(Sentence& sentence) {
  bool of_document = false;
  for (const auto& entry : sentence.metadata) {
    if (begins_document(entry.first)) {
      of_document = true;
      document_.clear();
      paragraph_.clear();
    } else if (begins_paragraph(entry.first)) {
      paragraph_ = {entry};
    }
    of_document = of_document && entry.first != "sent_id" && entry.first != "text" &&
                  !begins_paragraph(entry.first);
    if (of_document) document_.push_back(entry);
  }
  Metadata& own = sentence.metadata;
  own.reserve(own.size() + document_.size() + paragraph_.size());  // keys are viewed
  std::unordered_set<std::string_view> keys;
  for (const auto& entry : own) keys.insert(entry.first);
  for (const Metadata* const from : {&document_, &paragraph_}) {
    for (const auto& entry : *from) {
      if (keys.contains(entry.first)) continue;
      keys.insert(own.emplace_back(entry).first);
    }
  }
}

}  // namespace espalier
