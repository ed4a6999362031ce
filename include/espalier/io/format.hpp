#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "espalier/base/error.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/data/example.hpp"
#include "espalier/io/read_options.hpp"
#include "espalier/io/sink.hpp"
#include "espalier/io/source.hpp"
#include "espalier/represent/sentence.hpp"

namespace espalier {

/// Reads the examples of an input one by one; only one is in memory at a time.
class ExampleReader {
 public:
  virtual ~ExampleReader() = default;
  /// Replaces `example` by the next one; returns false at the end. Throws InputError.
  virtual bool next(Example& example) = 0;
  /// Whether next() would return without waiting for input, as from a pipe. Formats with an example
  /// per line know.
  virtual bool ready() { return true; }
  /// Whether next() can go on with the next example after one that was an error.
  virtual bool can_skip() const { return false; }
  /// The sentence of the example that next() returned, until the next call; null for formats
  /// without sentences.
  virtual const Sentence* sentence() const { return nullptr; }
  /// Where the example that next() returned begins.
  const Location& location() const { return location_; }

 protected:
  void begin_at(Location location) { location_ = std::move(location); }
  /// The next example begins at the current position of the source.
  void begin_at(const Source& source) {
    location_.file = source.name();
    location_.line = source.line();
    location_.column = source.column();
  }

 private:
  Location location_;
};

/// Writes examples one by one. The output file appears when finish() returns: complete or not at
/// all.
class ExampleWriter {
 public:
  explicit ExampleWriter(Sink sink) : sink_(std::move(sink)) {}
  virtual ~ExampleWriter() = default;
  /// Throws Error, with a remedy, if the format cannot represent the example.
  void write(const Example& example);
  void finish() { sink_.commit(); }

 protected:
  /// Appends the text of one example to `out`.
  virtual void print(const Example& example, std::string& out) = 0;

 private:
  Sink sink_;
  std::string text_;
  std::size_t written_ = 0;
};

/// A file format. To add one, write its source file and add a row to formats().
struct Format {
  std::string_view name;
  std::string_view description;
  std::span<const std::string_view> suffixes;  ///< of file names, with the dot: they decide
  /// Whether an input without such a suffix, whose first non-blank line is `line`, is likely in
  /// this format.
  bool (*matches)(std::string_view line);
  std::unique_ptr<ExampleReader> (*reader)(Source source, const ReadOptions& options);
  /// Null if the format is for reading only.
  std::unique_ptr<ExampleWriter> (*writer)(Sink sink) = nullptr;
  /// Describes what writing silently drops from an example; null if the format is lossless.
  std::string_view (*loses)(const Example& example) = nullptr;
};

/// All formats, most specific first: content is matched in this order.
std::span<const Format> formats();

/// Throws Error, suggesting the nearest known name.
const Format& format_named(std::string_view name);

/// Opens a file ("-": standard input), plain or gzip, or a folder if the format is "directory".
/// Without a format in the options the suffix before ".gz" decides, and without a known suffix the
/// content. Throws if it is empty or its format is unknown; the first next() throws if there are no
/// examples, and names both formats where suffix and content disagree.
std::unique_ptr<ExampleReader> open_reader(const std::string& path,
                                           const ReadOptions& options = {});

/// Replaces the trees of an example, and of its members, by their lexical_tree().
void make_lexical(Example& example);

/// The format of that name. Without a name, the suffix of the path before ".gz" determines it.
const Format& output_format(std::string_view path, std::string_view name);

/// Opens an output; `format` as in output_format().
std::unique_ptr<ExampleWriter> open_writer(const std::string& path, std::string_view format = "");

/// Reads a file into a data set. Linear in its size.
Dataset read(const std::string& path, const ReadOptions& options = {});

/// Writes a data set.
void write(const Dataset& data, const std::string& path, std::string_view format = "");

}  // namespace espalier
