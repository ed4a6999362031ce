#include "espalier/io/pairs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/word_vectors.hpp"
#include "espalier/represent/pair_features.hpp"

namespace espalier {

namespace {

/// One of the two files, at one of its examples.
struct Member {
  std::string path;
  std::unique_ptr<ExampleReader> reader;
  Example example;

  Member(const std::string& file, const ReadOptions& options)
      : path(file), reader(open_reader(file, options)) {}

  bool next() {
    if (!reader->next(example)) return false;
    if (!example.members.empty()) fail("it is a pair already");
    return true;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(reader->location(), message);
  }
  /// The words of its sentence or of its first tree.
  std::vector<Word> words() const {
    if (const Sentence* const sentence = reader->sentence()) return sentence->words;
    std::vector<Word> out;
    if (example.trees.empty()) return out;
    for (TreeWord& each : words_of(example.trees[0].value)) out.push_back(std::move(each.word));
    return out;
  }
  /// The text or comment of that name.
  std::optional<std::string> text(const std::string& name) const {
    const auto found = std::ranges::find(example.texts, name, &Named<std::string>::name);
    if (found != example.texts.end()) return found->value;
    const Sentence* const sentence = reader->sentence();
    const std::string* const value = sentence == nullptr ? nullptr : sentence->find(name);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  std::string text_names() const {
    std::vector<std::string> names;
    for (const auto& text : example.texts) names.push_back(text.name);
    if (const Sentence* const sentence = reader->sentence()) {
      for (const auto& [key, value] : sentence->metadata) {
        if (std::ranges::find(names, key) == names.end()) names.push_back(key);
      }
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }
};

/// The vectors of all words of both files.
std::shared_ptr<const WordVectors> vectors_of_words(const std::string& a, const std::string& b,
                                                    const ReadOptions& read,
                                                    const std::string& file) {
  if (a == "-" || b == "-") {
    throw Error("with word vectors both files are read twice: name files, not '-'");
  }
  LabelTable words;
  ReadOptions silent = read;
  silent.warn = {};
  for (const std::string& path : {a, b}) {
    for (Member member(path, silent); member.next();) {
      for (const Word& word : member.words()) words.intern(vector_key(word));
    }
  }
  auto out = std::make_shared<WordVectors>(read_word_vectors(file, words, {false, read.warn}));
  if (words.size() > 0 && out->found() == 0) {
    throw Error(fmt::format("{} has a vector of none of the words of {} and {}", file, a, b));
  }
  return out;
}

class PairReader final : public ExampleReader {
 public:
  PairReader(const std::string& a, const std::string& b, const std::string& labels,
             const ReadOptions& read, const PairOptions& options)
      : a_(a, read), b_(b, read), sentences_(read.sentences), options_(options) {
    if (!options.vectors.empty()) vectors_ = vectors_of_words(a, b, read, options.vectors);
    if (!options.related.empty()) match_ = word_match(options.related, vectors_);
    if (!labels.empty()) labels_.emplace(labels, read.limits, read.invalid_utf8);
  }

  bool next(Example& example) override {
    const bool more = a_.next();
    check_end(more, b_, b_.next());
    if (!more) {
      check_labels_end();
      return false;
    }
    begin_at(a_.reader->location());
    ++count_;
    example = {};
    read_label(example);
    if (!options_.group.empty()) add_group(example);
    if (options_.features) {
      example.vectors.push_back(
          {"features", pair_features(a_.words(), b_.words(), vectors_.get())});
    }
    if (match_) mark();
    for (Member* member : {&a_, &b_}) {
      member->example.labels.clear();
      example.members.push_back(std::move(member->example));
    }
    return true;
  }

 private:
  void check_end(bool more, const Member& other, bool has_other) const {
    if (more == has_other) return;
    const Member& longer = more ? a_ : b_;
    const Member& shorter = more ? other : a_;
    throw Error(fmt::format("{} ends after {}, but {} has more: pairs need as many of each",
                            shorter.path, counted(count_, "example"), longer.path));
  }

  void read_label(Example& example) {
    if (!labels_) {
      example.labels = a_.example.labels.empty() ? b_.example.labels : a_.example.labels;
      return;
    }
    Text line;
    if (!labels_->next_line(line)) {
      throw Error(fmt::format("{}: a missing label: it has {}, but there are more pairs",
                              labels_->name(), counted(count_ - 1, "line")));
    }
    if (line.trimmed().empty()) line.fail(0, fmt::format("a missing label, of pair {}", count_));
    if (const std::size_t tab = line.bytes().find('\t'); tab != std::string_view::npos) {
      line.fail(tab, "a tab: expected one label on each line");
    }
    example.labels.push_back({std::string(line.trimmed().bytes()), {}});
  }

  void check_labels_end() {
    if (!labels_) return;
    for (Text line; labels_->next_line(line);) {
      if (!line.trimmed().empty()) {
        line.fail(0, fmt::format("a label too many: there are {}", counted(count_, "pair")));
      }
    }
  }

  void add_group(Example& example) const {
    const std::string& name = options_.group;
    auto value = a_.text(name);
    if (!value) value = b_.text(name);
    if (!value) {
      a_.fail(fmt::format("pair {} has no text {} to be its group: {} has {}, {} has {}", count_,
                          in_quotes(name), a_.path, a_.text_names(), b_.path, b_.text_names()));
    }
    example.texts.push_back({name, *value});
  }

  void mark() {
    const Sentence* const a = a_.reader->sentence();
    const Sentence* const b = b_.reader->sentence();
    if (a != nullptr && b != nullptr) {
      const auto [in_a, in_b] = mark_related(*a, *b, match_, options_.marks);
      represent_again(a_, *a, in_a);
      represent_again(b_, *b, in_b);
      return;
    }
    mark_pair(a_.example, b_.example, match_, options_.marks);
  }

  void represent_again(Member& member, const Sentence& sentence, const Marks& marks) const {
    member.example.trees.clear();
    for (const SentenceForm form : sentences_.represent) {
      member.example.trees.push_back(
          {name_of(form), represent(sentence, form, sentences_.words, marks).tree});
    }
  }

  Member a_;
  Member b_;
  SentenceOptions sentences_;
  PairOptions options_;
  std::shared_ptr<const WordVectors> vectors_;
  WordMatch match_;
  std::optional<Source> labels_;
  std::uint64_t count_ = 0;  ///< pairs
};

}  // namespace

WordMatch word_match(const std::string& related, std::shared_ptr<const WordVectors> vectors) {
  constexpr std::string_view by_vectors = "vectors:";
  if (related == "form") return same_form();
  if (related == "lemma") return same_lemma();
  const bool known = related.starts_with(by_vectors);
  const auto threshold =
      known ? parse_number(related.substr(by_vectors.size())) : std::optional<double>();
  if (!threshold || !(*threshold > 0 && *threshold <= 1)) {
    throw Error("related = " + in_quotes(related) +
                ": expected form, lemma, or vectors: and a number in (0, 1], as in vectors:0.8");
  }
  if (vectors == nullptr) throw Error("related words by vectors need a file: set vectors");
  // The same word is related, with a vector or without.
  return [same = same_lemma(), threshold = *threshold, vectors = std::move(vectors)](
             const Word& a, const Word& b) {
    if (is_punctuation_mark(a) || is_punctuation_mark(b)) return false;
    return same(a, b) || vector_similarity(a, b, *vectors) >= threshold;
  };
}

void mark_pair(Example& a, Example& b, const WordMatch& match, const RelatedMarks& which) {
  for (auto& [name, tree] : a.trees) {
    const auto other = std::ranges::find(b.trees, name, &Named<Tree>::name);
    if (other == b.trees.end()) continue;
    std::tie(tree, other->value) = mark_related(tree, other->value, match, which);
  }
}

std::unique_ptr<ExampleReader> open_pairs(const std::string& a, const std::string& b,
                                          const std::string& labels, const ReadOptions& read,
                                          const PairOptions& options) {
  if (read.sentences.candidates != Candidates::sentences) {
    throw Error("pairs are of whole sentences: leave out candidates");
  }
  if (a == "-" && b == "-") throw Error("only one of the files of pairs can be standard input");
  return std::make_unique<PairReader>(a, b, labels, read, options);
}

}  // namespace espalier
