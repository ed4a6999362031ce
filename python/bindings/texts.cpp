#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "bindings.hpp"
#include "element_error.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/io/format.hpp"
#include "parameters.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// The bytes of a string, which Python keeps. Those of strings that are no UTF-8 go to `kept`.
std::string_view view_of(nb::handle text, std::vector<std::string>& kept) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  kept.push_back(to_bytes(nb::borrow<nb::str>(text)));
  return kept.back();
}

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

/// Turns texts into examples, one each.
class TextReader {
 public:
  TextReader(ReadOptions options, std::string name)
      : options_(std::move(options)),
        name_(std::move(name)),
        parser_(bracket_special, options_.limits) {}

  void read(std::string_view text, const std::string& place, Example& example) {
    read_tree(text, place, example);
    if (options_.mapping.leaves_are_words) make_lexical(example);
  }

 private:
  void read_tree(std::string_view text, const std::string& place, Example& example) {
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

  /// A text that begins with a bracket is one in brackets, as in a TSV file, unless it may be
  /// something else.
  static bool in_brackets(std::string_view text, const std::string& place) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return true;
    if (text[begin] != '(') return false;
    if (const std::string_view rival = rival_of_brackets(text); !rival.empty()) {
      throw InputError({place},
                       "brackets or " + std::string(rival) +
                           "? name it: format=\"brackets\" or \"" + std::string(rival) + "\"",
                       text);
    }
    return true;
  }

  void read_document(std::string_view text, const std::string& place, Example& example) {
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

  const Format& format_of(std::string_view text, const std::string& place) const {
    if (!options_.format.empty()) return format_named(options_.format);
    for (const char* name : {"html", "xml", "conllu"}) {
      const Format& format = format_named(name);
      if (format.matches(first_line(text))) return format;
    }
    throw InputError({place}, "neither brackets nor XML, HTML or CoNLL-U: name the format", text);
  }

  ReadOptions options_;
  std::string name_;
  BracketParser parser_;
};

/// The trees of texts, None for an example without one, and what there is to warn of.
nb::tuple from_texts(const nb::tuple& texts, const std::string& name, const nb::dict& values) {
  ReadOptions options = read_options_from(values);
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  std::vector<std::string> kept;
  kept.reserve(nb::len(texts));  // views refer to its strings
  std::vector<std::optional<std::string_view>> views;
  for (const nb::handle text : texts) {
    views.push_back(text.is_none() ? std::optional<std::string_view>() : view_of(text, kept));
  }
  Dataset data;
  {
    const nb::gil_scoped_release others_may_run;
    TextReader reader(std::move(options), name);
    Signals signals;
    Example example;
    for (std::size_t i = 0; i < views.size(); ++i) {
      signals.check();
      try {
        example = {};
        if (views[i]) reader.read(*views[i], "element " + std::to_string(i), example);
        data.add(example);
      } catch (const Error& error) {
        throw ElementError(i, error.what());
      }
    }
  }
  nb::list messages;
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), messages);
}

/// All trees of a forest, in order.
Dataset from_forest(const Forest& forest, const std::string& name) {
  Dataset data;
  for (TreeId tree = 0; tree < forest.tree_count(); ++tree) {
    Example example;
    example.trees.push_back({name, forest.tree(tree)});
    data.add(example);
  }
  return data;
}

}  // namespace

void add_texts(nb::module_& module) {
  module.def("from_texts", from_texts, nb::arg("texts"), nb::arg("name"), nb::arg("options"));
  module.def("from_forest", from_forest, nb::arg("forest"), nb::arg("name"));
}

}  // namespace espalier::python
