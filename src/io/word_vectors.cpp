#include "espalier/io/word_vectors.hpp"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/source.hpp"
#include "io/ascii.hpp"

namespace espalier {

namespace {

enum class Layout { text, kelp, binary };

/// The header of a file.
struct Header {
  Layout layout = Layout::text;
  std::optional<std::uint64_t> words;
  std::uint64_t dimension = 0;  ///< 0: unspecified
};

/// Collects the requested vectors: for each word that of its best spelling.
class Collector {
 public:
  Collector(const LabelTable& words, const WordVectorOptions& options) : options_(options) {
    for (LabelId id = 0; id < words.size(); ++id) {
      const std::string_view word = words.text(id);
      out_.words.intern(word);
      const std::string_view bare = without_part_of_speech(word);
      const std::string lower = ascii_lower_case(bare);
      std::uint32_t rank = 0;
      for (const std::string_view spelling : {word, bare, std::string_view(lower)}) {
        want(spelling, {id, rank++});
      }
    }
    out_.row.assign(out_.words.size(), none);
    rank_.assign(out_.words.size(), none);
    seen_.assign(spellings_.size(), 0);
  }

  /// Whether the vector of that word is needed.
  bool wants(std::string_view word) const { return options_.mean || spellings_.find(word) != none; }

  void add(std::string_view word, std::span<const float> vector, const Location& where) {
    out_.dimension = vector.size();
    if (options_.mean) {
      sums_.resize(vector.size());
      for (std::size_t k = 0; k < vector.size(); ++k) sums_[k] += static_cast<double>(vector[k]);
      ++count_;
    }
    const LabelId spelling = spellings_.find(word);
    if (spelling == none) return;
    if (seen_[spelling] != 0) {
      warn(where, "the word " + in_quotes(word) + " again: the first vector counts");
      return;
    }
    seen_[spelling] = 1;
    for (const Wanted& wanted : wanted_[spelling]) {
      if (wanted.rank >= rank_[wanted.word]) continue;
      rank_[wanted.word] = wanted.rank;
      std::uint32_t& row = out_.row[wanted.word];
      if (row == none) {
        row = static_cast<std::uint32_t>(out_.values.size() / vector.size());
        out_.values.resize(out_.values.size() + vector.size());
      }
      std::ranges::copy(vector,
                        out_.values.begin() + static_cast<std::ptrdiff_t>(row * vector.size()));
    }
  }

  void warn(const Location& where, const std::string& message) const {
    if (!options_.warn) return;
    options_.warn(where.file + ":" + std::to_string(where.line) + ": " + message);
  }

  WordVectors finish() {
    for (const double sum : sums_) {
      out_.mean.push_back(static_cast<float>(sum / static_cast<double>(count_)));
    }
    return std::move(out_);
  }

 private:
  struct Wanted {
    LabelId word;
    std::uint32_t rank;  ///< of this spelling of the word: 0 is best
  };

  void want(std::string_view spelling, const Wanted& wanted) {
    const LabelId id = spellings_.intern(spelling);
    if (id == wanted_.size()) wanted_.emplace_back();
    const auto& all = wanted_[id];
    if (all.empty() || all.back().word != wanted.word) wanted_[id].push_back(wanted);
  }

  const WordVectorOptions& options_;
  WordVectors out_;
  LabelTable spellings_;
  std::vector<std::vector<Wanted>> wanted_;  ///< per spelling
  std::vector<std::uint8_t> seen_;           ///< per spelling
  std::vector<std::uint32_t> rank_;          ///< per word: rank of the spelling found so far
  std::vector<double> sums_;
  std::uint64_t count_ = 0;
};

/// Parses exactly out.size() numbers between separators.
void parse_floats(const Text& text, char separator, std::vector<float>& out) {
  const char* at = text.bytes().data();
  const char* const end = at + text.size();
  const auto place = [&] { return static_cast<std::size_t>(at - text.bytes().data()); };
  for (float& value : out) {
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc::invalid_argument) text.fail(place(), "expected a number");
    if (error != std::errc() || !std::isfinite(value)) {
      text.fail(place(), "the number is not finite, or too large for single precision");
    }
    at = next;
    const bool good = at == end || *at == separator || *at == ' ' || *at == '\t';
    if (!good) text.fail(place(), "expected a number");
    if (at < end && *at == separator) ++at;
  }
}

/// Splits "word n n n" into word and numbers, from the end: words may contain blanks.
struct TextLine {
  Text word;
  Text numbers;
  std::size_t count = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

TextLine cut(const Text& line, std::uint64_t dimension) {
  const std::string_view bytes = line.bytes();
  std::size_t begin = bytes.size();
  TextLine out;
  while (begin > 0 && (dimension == 0 || out.count < dimension)) {
    std::size_t at = begin;
    while (at > 0 && is_blank(bytes[at - 1])) --at;
    while (at > 0 && !is_blank(bytes[at - 1])) --at;
    if (at == 0) break;  // the word itself
    begin = at;
    ++out.count;
  }
  out.numbers = line.part(begin);
  out.word = line.part(0, begin).trimmed();
  return out;
}

class FileReader {
 public:
  FileReader(const std::string& path, Collector& collector)
      : source_(path, {}, InvalidUtf8::keep, Source::Content::bytes), collector_(collector) {}

  void read() {
    const Header header = read_header();
    dimension_ = header.dimension;
    if (header.layout == Layout::binary) {
      read_binary(header);
    } else {
      read_lines(header.layout);
    }
    if (words_ == 0) throw Error(source_.name() + ": there are no word vectors in it");
    if (header.words && *header.words != words_) {
      collector_.warn({source_.name(), 1, 1}, "the header says " + counted(*header.words, "word") +
                                                  ", but there are " + grouped(words_));
    }
  }

 private:
  static constexpr std::uint64_t largest_dimension = 100'000;
  static constexpr std::size_t longest_word = 10'000;

  Header read_header() {
    const std::string_view start = source_.peek(std::size_t{1} << 16);
    const std::size_t end = std::min(start.find('\n'), start.size());
    const std::string_view first = start.substr(0, end);
    Header header;
    std::string_view second = first;
    if (read_counts(first, header)) {
      second = start.substr(std::min(end + 1, start.size()));
      if (looks_binary(second)) header.layout = Layout::binary;
      second = second.substr(0, second.find('\n'));
    }
    if (header.layout == Layout::text && std::ranges::count(second, '\t') == 3 &&
        second.find(',') != second.npos) {
      header.layout = Layout::kelp;
    }
    if (header.words) source_.consume(end + 1 <= start.size() ? end + 1 : end);
    return header;
  }

  /// "words dimension", and nothing else.
  bool read_counts(std::string_view line, Header& header) const {
    std::uint64_t numbers[2] = {};
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::uint64_t& number : numbers) {
      while (at < end && is_blank(*at)) ++at;
      const auto [next, error] = std::from_chars(at, end, number);
      if (error != std::errc()) return false;
      at = next;
    }
    while (at < end && (is_blank(*at) || *at == '\r')) ++at;
    if (at != end) return false;
    if (numbers[1] == 0 || numbers[1] > largest_dimension) {
      throw InputError({source_.name(), 1, 1}, "the dimension must be from 1 to 100,000", line);
    }
    header.words = numbers[0];
    header.dimension = numbers[1];
    return true;
  }

  /// Whether the bytes after the first word are not numbers as text.
  static bool looks_binary(std::string_view text) {
    const std::size_t blank = text.find_first_of(" \t\n");
    if (blank == text.npos || text[blank] == '\n') return false;
    const std::string_view numbers = text.substr(blank, text.find('\n') - blank).substr(0, 40);
    return numbers.find_first_not_of("0123456789+-.eEinfaINFA, \t\r") != text.npos;
  }

  void read_lines(Layout layout) {
    Text line;
    std::vector<float> vector;
    while (source_.next_line(line)) {
      if (line.trimmed().empty()) continue;
      if (std::memchr(line.bytes().data(), 0, line.size()) != nullptr) {
        line.fail(0, "a NUL byte: this is no file of word vectors");
      }
      const std::uint64_t number = source_.line() - 1;
      if (layout == Layout::kelp) {
        read_kelp(line, number, vector);
      } else {
        read_text(line.trimmed(), number, vector);
      }
    }
  }

  void read_text(const Text& line, std::uint64_t number, std::vector<float>& vector) {
    const TextLine cut_line = cut(line, dimension_);
    if (dimension_ == 0) {
      dimension_ = cut_line.count;
      if (dimension_ == 0) line.fail(0, "expected a word and its vector");
    }
    const std::string_view word = cut_line.word.bytes();
    // "0.25" at the end of a word is a number too many.
    const std::string_view last = word.substr(std::min(word.find_last_of(" \t"), word.size()));
    const bool too_many =
        !last.empty() && last.find('.') != last.npos && parse_number(last.substr(1));
    if (cut_line.count != dimension_ || too_many || word.empty()) {
      const std::size_t count = cut(line, 0).count;
      line.fail(0, "expected " + counted(dimension_, "number") + " after the word, found " +
                       grouped(count));
    }
    add(word, cut_line.numbers, ' ', number, vector);
  }

  /// "word TAB x TAB x TAB v1,v2,.."; lines without a TAB are skipped.
  void read_kelp(const Text& line, std::uint64_t number, std::vector<float>& vector) {
    const std::string_view bytes = line.bytes();
    const std::size_t word_end = bytes.find('\t');
    if (word_end == bytes.npos) return;
    const Text numbers = line.part(bytes.rfind('\t') + 1).trimmed();
    const auto count = static_cast<std::uint64_t>(std::ranges::count(numbers.bytes(), ',')) + 1;
    if (dimension_ == 0) dimension_ = count;
    if (count != dimension_) {
      numbers.fail(0, "expected " + counted(dimension_, "number") + ", found " + grouped(count));
    }
    add(bytes.substr(0, word_end), numbers, ',', number, vector);
  }

  void add(std::string_view word, const Text& numbers, char separator, std::uint64_t line,
           std::vector<float>& vector) {
    ++words_;
    if (!collector_.wants(word)) return;
    vector.resize(dimension_);
    parse_floats(numbers, separator, vector);
    collector_.add(word, vector, {source_.name(), line, 1});
  }

  /// Each word, a blank, and its numbers as in memory; some writers add a newline.
  void read_binary(const Header& header) {
    std::vector<float> vector(dimension_);
    const std::size_t bytes = dimension_ * sizeof(float);
    for (; words_ < *header.words; ++words_) {
      std::string_view rest = source_.peek(1);
      while (!rest.empty() && rest[0] == '\n') {
        source_.consume(1);
        rest = source_.peek(1);
      }
      if (rest.empty()) return;  // fewer words than the header announces
      rest = source_.peek(longest_word);
      const std::size_t blank = rest.find(' ');
      const std::string name = "word " + grouped(words_ + 1);
      if (blank == rest.npos) throw Error(source_.name() + ": " + name + " has no end");
      const std::string word(rest.substr(0, blank));
      source_.consume(blank + 1);
      rest = source_.peek(bytes);
      if (rest.size() < bytes) throw Error(source_.name() + ": it ends within " + name);
      std::memcpy(vector.data(), rest.data(), bytes);
      source_.consume(bytes);
      if (!std::ranges::all_of(vector, [](float value) { return std::isfinite(value); })) {
        throw Error(source_.name() + ": " + name + ", " + in_quotes(word) +
                    ", has a number that is not finite");
      }
      collector_.add(word, vector, {source_.name(), words_ + 1, 1});
    }
    if (!source_.peek(2).empty() && source_.peek(2) != "\n") ++words_;  // more than the header says
  }

  Source source_;
  Collector& collector_;
  std::uint64_t dimension_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace

std::uint64_t word_file_digest(const std::string& path) {
  constexpr std::size_t block = std::size_t{1} << 16;
  Source source(path, {}, InvalidUtf8::keep, Source::Content::bytes);
  std::uint64_t size = 0;
  uLong checksum = crc32_z(0, nullptr, 0);
  for (std::string_view bytes = source.peek(block); !bytes.empty(); bytes = source.peek(block)) {
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    size += bytes.size();
    source.consume(bytes.size());
  }
  return size << 32 | checksum;
}

std::string_view without_part_of_speech(std::string_view word) {
  const std::size_t mark = word.find("::");
  return mark == 0 ? word : word.substr(0, mark);
}

WordVectors read_word_vectors(const std::string& path, const LabelTable& words,
                              const WordVectorOptions& options) {
  Collector collector(words, options);
  FileReader(path, collector).read();
  return collector.finish();
}

}  // namespace espalier
