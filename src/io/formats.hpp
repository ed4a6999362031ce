#pragma once

#include "espalier/io/format.hpp"

/// What the table of formats is made of: one declaration for each file beside this one.
namespace espalier {

extern const Format conllu_format;
extern const Format kelp_format;
extern const Format penn_format;
extern const Format svmlight_tk_format;
extern const Format tsv_format;

/// The name of the tree in formats that hold one tree per example and do not name it.
inline constexpr const char* only_tree = "tree";

/// The one tree of an example, for formats that hold nothing else. Throws Error otherwise.
const Tree& one_tree(const Example& example, std::string_view format);

}  // namespace espalier
