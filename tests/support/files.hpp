#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/io/format.hpp"
#include "support/examples.hpp"
#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier::test {

/// All examples of a file.
inline std::vector<Example> examples_in(const std::string& path, const ReadOptions& options = {}) {
  const auto reader = open_reader(path, options);
  std::vector<Example> out;
  for (Example example; reader->next(example);) out.push_back(example);
  return out;
}

inline void write_examples(const std::vector<Example>& examples, const std::string& path,
                           std::string_view format = "") {
  const auto writer = open_writer(path, format);
  for (const Example& example : examples) writer->write(example);
  writer->finish();
}

/// The examples that a file with this content holds, read as `format` with these options.
inline std::vector<Example> read_as(std::string_view format, std::string_view content,
                                    ReadOptions options) {
  const TempDir folder;
  options.format = format;
  return examples_in(folder.file("input", content), options);
}

/// `piece`, repeated.
inline std::string repeated(std::string_view piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

/// The examples that a file with this content holds, read as `format`.
inline std::vector<Example> parsed(std::string_view format, std::string_view content) {
  return read_as(format, content, {});
}

/// The only example that a file with this content holds.
inline Example parsed_one(std::string_view format, std::string_view content) {
  const std::vector<Example> all = parsed(format, content);
  if (all.size() != 1) throw std::runtime_error("the file holds not one example");
  return all[0];
}

/// An input that cannot be read, with the location and a part of the message of the error.
struct InvalidInput {
  const char* content;
  const char* place;
  const char* message;
};

inline void expect_errors(std::string_view format, std::initializer_list<InvalidInput> inputs) {
  for (const auto& [content, place, message] : inputs) {
    const Failure failure = failure_of([&, text = content] { parsed(format, text); });
    EXPECT_EQ(failure.place(), place) << content;
    EXPECT_TRUE(contains(failure.message, message)) << content;
  }
}

/// What a file of this format holds after these were written to it.
inline std::string printed(std::string_view format, const std::vector<Example>& examples) {
  const TempDir folder;
  write_examples(examples, folder.path("output"), format);
  return read_file(folder.path("output"));
}

}  // namespace espalier::test
