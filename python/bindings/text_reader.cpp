#include "text_reader.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "espalier/base/error.hpp"

namespace espalier::python {

namespace {

std::string_view first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.substr(0, text.find('\n'));
}

/// Whether a word directly before a bracket ends in a colon, as the fields of tree-sitter do:
/// "(call function: (identifier))".
bool has_fields(std::string_view text) {
  for (std::size_t at = 0; (at = text.find(": (", at)) != text.npos; ++at) {
    const char before = at > 0 ? text[at - 1] : ' ';
    if (before == '_' || std::isalnum(static_cast<unsigned char>(before)) != 0) return true;
  }
  return false;
}

/// What a text that begins with a bracket may be, other than a tree in brackets; empty if nothing.
std::string_view rival_of_brackets(std::string_view text) {
  const std::string_view line = first_line(text);
  for (const char* name : {"newick", "tree-sitter"}) {
    if (format_named(name).matches(line)) return name;
  }
  // The loops of RNA have several bases; "(.(.))" is a full stop with its part of speech.
  const bool loops = line.find("..") != line.npos;
  if (loops && format_named("dot-bracket").matches(line)) return "dot-bracket";
  return has_fields(text) ? "tree-sitter" : "";
}

/// A text that begins with a bracket is one in brackets, as in a TSV file, unless it may be
/// something else.
bool in_brackets(std::string_view text, const std::string& place) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return true;
  if (text[begin] != '(') return false;
  if (const std::string_view rival = rival_of_brackets(text); !rival.empty()) {
    throw InputError({place},
                     "brackets or " + std::string(rival) + "? name it: format=\"brackets\" or \"" +
                         std::string(rival) + "\"",
                     text);
  }
  return true;
}

}  // namespace

TextReader::TextReader(ReadOptions options, std::string name)
    : options_(std::move(options)),
      name_(std::move(name)),
      parser_(bracket_special, options_.limits) {}

void TextReader::read(std::string_view text, const std::string& place, Example& example) {
  read_tree(text, place, example);
  if (options_.mapping.leaves_are_words) make_lexical(example);
}

void TextReader::read_tree(std::string_view text, const std::string& place, Example& example) {
  if (options_.format == "brackets" || (options_.format.empty() && in_brackets(text, place))) {
    example = {};
    example.trees.push_back({name_, {}});
    if (const std::size_t nul = text.find('\0'); nul != text.npos) {
      Text(text, place, 1).fail(nul, "a NUL byte");
    }
    parser_.parse(Text(text, place, 1), example.trees[0].value);
  } else {
    read_document(text, place, example);
  }
}

void TextReader::read_document(std::string_view text, const std::string& place, Example& example) {
  const auto reader = format_of(text, place)
                          .reader(Source::in_memory(std::string(text), place, options_.limits,
                                                    options_.invalid_utf8),
                                  options_);
  Example more;
  if (!reader->next(example)) throw InputError({place}, "there is no tree");
  if (reader->next(more)) throw InputError(reader->location(), "a second tree: one, please");
  example.labels.clear();
  if (example.trees.size() == 1) example.trees[0].name = name_;
}

const Format& TextReader::format_of(std::string_view text, const std::string& place) const {
  if (!options_.format.empty()) return format_named(options_.format);
  for (const char* name : {"html", "xml", "conllu"}) {
    const Format& format = format_named(name);
    if (format.matches(first_line(text))) return format;
  }
  throw InputError({place}, "neither brackets nor XML, HTML or CoNLL-U: name the format", text);
}

}  // namespace espalier::python
