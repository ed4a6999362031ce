#pragma once

#include "espalier/io/format.hpp"

/// What the table of formats is made of: one declaration for each file beside this one.
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

/// Reads the files of a folder: options.format is "directory" or "directory:" and their format.
std::unique_ptr<ExampleReader> open_directory(const std::string& path, const ReadOptions& options);

/// The name of the tree in formats that hold one tree per example and do not name it.
inline constexpr const char* only_tree = "tree";

/// The one tree of an example, for formats that hold nothing else. Throws Error otherwise.
const Tree& one_tree(const Example& example, std::string_view format);

}  // namespace espalier
