#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "espalier/base/error.hpp"
#include "espalier/io/sentence_reader.hpp"
#include "espalier/represent/sentence_examples.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// Reads Universal Dependencies and converts sentences to trees.
class ConlluReader final : public ExampleReader {
 public:
  ConlluReader(Source source, const ReadOptions& options)
      : name_(source.name()),
        sentences_(std::move(source), options.warn),
        options_(options.sentences) {}

  bool next(Example& example) override {
    while (next_ == examples_.size()) {
      if (!sentences_.next(sentence_)) {
        check_end();
        return false;
      }
      make_examples();
    }
    example = std::move(examples_[next_++]);
    begin_at(sentences_.location());
    return true;
  }
  const Sentence* sentence() const override { return &sentence_; }

 private:
  void make_examples() {
    next_ = 0;
    ++count_;
    if (sentence_.find(options_.label_from) != nullptr) ++labelled_;
    try {
      examples_ = examples_of(sentence_, options_);
    } catch (const Error& error) {
      throw InputError(sentences_.location(), error.what());
    }
    made_ += examples_.size();
    if (labelled_ == 0) last_metadata_ = sentence_.metadata;
  }

  /// Options that match no sentence at all are most likely typos.
  void check_end() const {
    if (count_ == 0) return;
    if (options_.candidates != Candidates::sentences) {
      if (made_ > 0) return;
      throw Error(
          fmt::format("{}: no sentence has a predicate with candidates; the columns after "
                      "the tenth must name predicates and roles",
                      name_));
    }
    if (options_.label_from.empty() || labelled_ > 0) return;
    std::string keys;
    for (const auto& [key, value] : last_metadata_) {
      keys += fmt::format("{}{}", keys.empty() ? "" : ", ", key);
    }
    throw Error(fmt::format("{}: no sentence has {} to be its class; the last one has: {}", name_,
                            in_quotes(options_.label_from), keys));
  }

  std::string name_;
  SentenceReader sentences_;
  SentenceOptions options_;
  Sentence sentence_;
  std::vector<Example> examples_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;     ///< sentences
  std::size_t made_ = 0;      ///< examples
  std::size_t labelled_ = 0;  ///< sentences with a class
  std::vector<std::pair<std::string, std::string>> last_metadata_;
};

/// A typical first comment, or the first word of a sentence: at least ten columns, the seventh of
/// which is a number.
bool is_conllu(std::string_view line) {
  if (line.starts_with('#')) {
    constexpr std::array keys = {"newdoc",         "newpar",    "sent_id", "text",
                                 "global.columns", "generator", "udpipe"};
    line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
    const std::size_t end = std::min(line.find_first_of(" =\r"), line.size());
    return std::ranges::find(keys, line.substr(0, end)) != keys.end();
  }
  if (!line.starts_with("1\t") && !line.starts_with("1-")) return false;
  std::size_t columns = 1;
  std::string_view seventh;
  for (std::size_t tab = 0; (tab = line.find('\t', tab)) != line.npos; ++tab) {
    if (++columns == 7) seventh = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
  }
  return columns >= 10 &&
         (seventh == "_" ||
          (!seventh.empty() && seventh.find_first_not_of("0123456789") == seventh.npos));
}

constexpr std::string_view conllu_suffixes[] = {".conllu", ".conllup"};

}  // namespace

const Format conllu_format = {
    .name = "conllu",
    .description = "CoNLL-U: sentences with dependencies, which become trees",
    .suffixes = conllu_suffixes,
    .matches = is_conllu,
    .reader = make_reader<ConlluReader>,
};

}  // namespace espalier
