#include "espalier/io/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "espalier/represent/lexical_tree.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

constexpr std::size_t head_bytes = std::size_t{1} << 16;

std::vector<std::string_view> format_names(bool to_write = false) {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    if (!to_write || format.writer != nullptr) names.push_back(format.name);
  }
  return names;
}

bool has_suffix(std::string_view path, const Format& format) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return std::ranges::any_of(format.suffixes,
                             [&](std::string_view suffix) { return path.ends_with(suffix); });
}

/// The first non-blank line, as far as it is within `head`.
std::string_view first_line(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  const std::size_t line = head.rfind('\n', begin);
  head.remove_prefix(line == std::string_view::npos ? 0 : line + 1);
  return head.substr(0, head.find('\n'));
}

/// The format of which `is` holds, or null.
template <class Predicate>
const Format* find_format(Predicate&& is) {
  const auto found = std::ranges::find_if(formats(), is);
  return found == formats().end() ? nullptr : &*found;
}

/// What a file is read as, and why.
struct Detected {
  const Format* format;
  /// What the content looks like instead, if the suffix decided against it; null otherwise.
  const Format* other = nullptr;

  /// For errors: tells the disagreement, if there is one.
  std::string hint() const {
    if (other == nullptr) return "";
    return fmt::format("; the suffix means {}, the content looks like {}: name the format",
                       format->name, other->name);
  }
};

/// The beginning of the input up to the end of its first line that is not blank, and what has
/// arrived with it: more might have to be waited for.
std::string_view peek_head(Source& source) {
  std::string_view head = source.peek();
  while (head.size() < head_bytes) {
    const std::string_view line = first_line(head);
    if (!line.empty() && line.data() + line.size() != head.data() + head.size()) break;
    const std::size_t before = head.size();
    head = source.peek(before + 1);
    if (head.size() == before) break;
  }
  return head.substr(0, head_bytes);
}

Detected detect(std::string_view line, std::string_view head, const std::string& name) {
  const Format* const by_suffix = find_format([&](const Format& f) { return has_suffix(name, f); });
  const Format* const by_content = find_format([&](const Format& f) { return f.matches(line); });
  if (by_suffix != nullptr) {
    const bool confirmed = by_suffix->matches(line) || by_suffix == by_content;
    return {by_suffix, confirmed ? nullptr : by_content};
  }
  if (by_content != nullptr) return {by_content};
  const auto blank_lines = std::count(head.data(), line.data(), '\n');
  throw InputError({name, 1 + static_cast<std::uint64_t>(blank_lines), 1},
                   fmt::format("the format is not recognised; specify one of: {}",
                               fmt::join(format_names(), ", ")),
                   line);
}

/// Checks the first example of a file: there must be one, and where it cannot be read, or holds
/// only labels, the error tells what the content looks like.
class CheckedReader final : public ExampleReader {
 public:
  CheckedReader(Source source, const ReadOptions& options, Detected detected)
      : detected_(detected),
        leaves_are_words_(options.mapping.leaves_are_words),
        file_(source.name()) {
    try {
      reader_ = detected.format->reader(std::move(source), options);
    } catch (const InputError& error) {
      throw error.followed_by(detected.hint());
    }
  }

  bool ready() override { return reader_->ready(); }
  bool can_skip() const override { return reader_->can_skip(); }
  const Sentence* sentence() const override { return reader_->sentence(); }
  bool next(Example& example) override {
    if (!begun_) {
      if (!read_first(example)) return false;
    } else {
      if (!reader_->next(example)) return false;
      begin_at(reader_->location());
    }
    if (leaves_are_words_) make_lexical(example);
    return true;
  }

 private:
  bool read_first(Example& example) {
    begun_ = true;
    try {
      if (!reader_->next(example)) {
        throw InputError({file_}, fmt::format("no examples, read as {}: is it another format?",
                                              detected_.format->name));
      }
    } catch (const InputError& error) {
      throw error.followed_by(detected_.hint());
    }
    begin_at(reader_->location());
    const bool labels_only = example.trees.empty() && example.vectors.empty() &&
                             example.texts.empty() && example.members.empty();
    if (labels_only && detected_.other != nullptr) {
      throw InputError(location(), "an example without trees" + detected_.hint());
    }
    return true;
  }

  std::unique_ptr<ExampleReader> reader_;
  Detected detected_;
  bool leaves_are_words_;
  std::string file_;
  bool begun_ = false;
};

}  // namespace

std::span<const Format> formats() {
  static const std::array all = {
      conllu_format,      kelp_format,
      nexus_format,  // before SVM-light-TK, whose comments begin with '#'
      svmlight_tk_format, tsv_format,  html_format,        xml_format,
      newick_format,      json_format, tree_sitter_format, glycan_format,
      dot_bracket_format, csv_format,  terms_format,       directory_format,
      penn_format,  // anything that starts with a bracket
  };
  return all;
}

const Format& format_named(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return format;
  }
  const std::string near = nearest(name, format_names());
  throw Error(fmt::format("there is no format {}{}; there are {}", in_quotes(name),
                          near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                          fmt::join(format_names(), ", ")));
}

void make_lexical(Example& example) {
  for (Example& member : example.members) make_lexical(member);
  for (auto& [name, tree] : example.trees) tree = lexical_tree(tree);
}

std::unique_ptr<ExampleReader> open_reader(const std::string& path, const ReadOptions& options) {
  const std::string_view name = options.format;
  if (name.substr(0, name.find(':')) == directory_format.name) return open_directory(path, options);
  Source source(path, options.limits, options.invalid_utf8);
  const std::string_view head = peek_head(source);
  const std::string_view line = first_line(head);
  if (line.empty()) throw InputError({source.name(), 1, 1}, "the file is empty");
  const Detected detected = !name.empty()              ? Detected{&format_named(name)}
                            : !options.columns.empty() ? Detected{&csv_format}
                                                       : detect(line, head, source.name());
  return std::make_unique<CheckedReader>(std::move(source), options, detected);
}

const Format& output_format(std::string_view path, std::string_view name) {
  const std::string writable = fmt::format("{}", fmt::join(format_names(true), ", "));
  if (!name.empty()) {
    const Format& format = format_named(name);
    if (format.writer == nullptr) {
      throw Error(fmt::format("{} is read, not written; write one of {}", name, writable));
    }
    const auto fits = [&](const Format& one) { return has_suffix(path, one); };
    if (fits(format) || std::ranges::none_of(formats(), fits)) return format;
    throw Error(fmt::format("the name {} is of another format than {}: change one of them",
                            in_quotes(path), name));
  }
  for (const Format& format : formats()) {
    if (format.writer != nullptr && has_suffix(path, format)) return format;
  }
  throw Error(fmt::format("the name {} does not determine the output format; specify one of: {}",
                          in_quotes(path), writable));
}

std::unique_ptr<ExampleWriter> open_writer(const std::string& path, std::string_view format) {
  return output_format(path, format).writer(Sink(path));
}

void ExampleWriter::write(const Example& example) {
  text_.clear();
  ++written_;
  try {
    print(example, text_);
  } catch (const Error& error) {
    throw Error(fmt::format("example {}: {}", written_, error.what()));
  }
  sink_.write(text_);
}

const Tree& one_tree(const Example& example, std::string_view format) {
  if (!example.members.empty()) {
    throw Error(fmt::format("{} cannot store pairs; write klp instead", format));
  }
  if (example.trees.size() == 1 && example.vectors.empty()) return example.trees[0].value;
  std::vector<std::string_view> names;
  for (const auto& tree : example.trees) names.push_back(tree.name);
  if (names.empty()) throw Error(fmt::format("it has no tree, and {} stores nothing else", format));
  throw Error(
      fmt::format("{} stores one tree per example and no vectors; choose one tree "
                  "({}) or write klp instead",
                  format, fmt::join(names, ", ")));
}

namespace {

/// Every column of a data set has an entry for each example, so there must not be too many.
void check_columns(const Dataset& data, const ReadLimits& limits) {
  const auto check = [&](std::size_t columns, std::string_view unit) {
    if (columns <= limits.parts) return;
    throw Error(beyond_limit("a file", limits.parts, unit, "max-parts"));
  };
  check(data.trees().size(), "names of trees");
  check(data.vectors().size(), "names of vectors");
  check(data.texts().size(), "names of texts");
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  const auto reader = open_reader(path, options);
  Dataset data;
  data.set_reading(reading_settings(options));
  Example example;
  while (reader->next(example)) {
    try {
      data.add(example);
      check_columns(data, options.limits);
    } catch (const Error& error) {
      throw InputError(reader->location(), error.what());
    }
  }
  return data;
}

void write(const Dataset& data, const std::string& path, std::string_view format) {
  const auto writer = open_writer(path, format);
  for (std::size_t i = 0; i < data.size(); ++i) writer->write(data.example(i));
  writer->finish();
}

}  // namespace espalier
