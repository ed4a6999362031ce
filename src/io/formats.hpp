#pragma once

#include "espalier/io/format.hpp"

/// The rows of the table of formats: one declaration for each file.
namespace espalier {

extern const Format conllu_format;
extern const Format csv_format;
extern const Format directory_format;
extern const Format dot_bracket_format;
extern const Format glycan_format;
extern const Format html_format;
extern const Format json_format;
extern const Format kelp_format;
extern const Format newick_format;
extern const Format nexus_format;
extern const Format penn_format;
extern const Format svmlight_tk_format;
extern const Format terms_format;
extern const Format tree_sitter_format;
extern const Format tsv_format;
extern const Format xml_format;

/// Reads the files of a folder; options.format is "directory" or "directory:FORMAT".
std::unique_ptr<ExampleReader> open_directory(const std::string& path, const ReadOptions& options);

/// For Format::reader and Format::writer.
template <class Reader>
std::unique_ptr<ExampleReader> make_reader(Source source, const ReadOptions& options) {
  return std::make_unique<Reader>(std::move(source), options);
}
template <class Writer>
std::unique_ptr<ExampleWriter> make_writer(Sink sink) {
  return std::make_unique<Writer>(std::move(sink));
}

/// Adds an empty tree to an example, for formats with one unnamed tree per example.
inline Tree& add_tree(Example& example) {
  return example.trees.emplace_back(Named<Tree>{"tree", {}}).value;
}

/// The only tree of an example, for formats that store nothing else. Throws Error otherwise.
const Tree& one_tree(const Example& example, std::string_view format);

}  // namespace espalier
