#include "espalier/io/read_options.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// The index of `value` in `choices`, as in "drop|keep".
std::size_t choice(std::string_view value, std::string_view choices) {
  std::size_t place = 0;
  for (std::string_view rest = choices;; ++place) {
    const std::size_t bar = rest.find('|');
    if (rest.substr(0, bar) == value) return place;
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  throw Error(fmt::format("{} is none of {}", in_quotes(value), choices));
}

/// A positive integer, optionally followed by K, M or G: times 1024, 1024^2, 1024^3.
std::uint64_t size(std::string_view value) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [after, fault] = std::from_chars(value.data(), end, number);
  const std::string_view unit(after, static_cast<std::size_t>(end - after));
  const std::size_t power = std::string_view(" KMG").find(unit.empty() ? " " : unit);
  const std::size_t shift = power == std::string_view::npos ? 64 : 10 * power;
  if (fault != std::errc() || unit.size() > 1 || shift == 64 || number == 0 ||
      number > (UINT64_MAX >> shift)) {
    throw Error(in_quotes(value) + " is not a whole number above 0, such as 2000 or 512M");
  }
  return number << shift;
}

constexpr std::string_view keep_or_drop = "drop|keep";
constexpr std::string_view label_choices = "tag|tag.class";
constexpr std::string_view linkage_choices = "label|node|drop";
constexpr std::string_view utf8_choices = "keep|replace|refuse";

template <bool TreeMapping::*member>
void set_kept(ReadOptions& options, std::string_view value) {
  options.mapping.*member = choice(value, keep_or_drop) == 1;
}

template <std::uint64_t ReadLimits::*member>
void set_limit(ReadOptions& options, std::string_view value) {
  options.limits.*member = size(value);
}

constexpr std::array all = {
    NamedReadOption{"text", keep_or_drop, "xml, html: text as leaves; json: values, not kinds",
                    set_kept<&TreeMapping::text>},
    NamedReadOption{"labels", label_choices, "xml, html: what labels are made of",
                    [](ReadOptions& options, std::string_view value) {
                      options.mapping.classes = choice(value, label_choices) == 1;
                    }},
    NamedReadOption{"attributes", keep_or_drop, "xml, html: attributes as children @name",
                    set_kept<&TreeMapping::attributes>},
    NamedReadOption{"lengths", keep_or_drop, "newick, nexus: branch lengths in labels, name:0.5",
                    set_kept<&TreeMapping::lengths>},
    NamedReadOption{"fields", keep_or_drop, "tree-sitter: fields in labels, name:identifier",
                    set_kept<&TreeMapping::fields>},
    NamedReadOption{"linkages", linkage_choices, "glycan: part of the label, own node, or neither",
                    [](ReadOptions& options, std::string_view value) {
                      options.mapping.linkages =
                          static_cast<Linkages>(choice(value, linkage_choices));
                    }},
    NamedReadOption{"columns", "ROLE=COLUMN,..",
                    "csv: which column is the class and which the tree, class=family,newick=tree",
                    [](ReadOptions& options, std::string_view value) { options.columns = value; }},
    NamedReadOption{"utf8", utf8_choices, "bytes that are not UTF-8",
                    [](ReadOptions& options, std::string_view value) {
                      options.invalid_utf8 = static_cast<InvalidUtf8>(choice(value, utf8_choices));
                    }},
    NamedReadOption{"max-nodes", "NUMBER", "nodes of a tree [20 million]",
                    set_limit<&ReadLimits::nodes>},
    NamedReadOption{"max-depth", "NUMBER", "depth of a tree [10 million]",
                    set_limit<&ReadLimits::depth>},
    NamedReadOption{"max-label", "BYTES", "a label [1M]", set_limit<&ReadLimits::label>},
    NamedReadOption{"max-attributes", "NUMBER", "attributes of an element [10,000]",
                    set_limit<&ReadLimits::attributes>},
    NamedReadOption{"max-example", "BYTES", "the text of an example: a line or document [1G]",
                    set_limit<&ReadLimits::example>},
    NamedReadOption{"max-file", "BYTES", "a file, after decompression [64G]",
                    set_limit<&ReadLimits::file>},
};

}  // namespace

std::span<const NamedReadOption> read_options() { return all; }

void set_read_option(ReadOptions& options, std::string_view name, std::string_view value) {
  std::vector<std::string_view> names;
  for (const NamedReadOption& option : all) {
    if (option.name == name) return option.set(options, value);
    names.push_back(option.name);
  }
  const std::string near = nearest(name, names);
  throw Error(fmt::format("there is no option {} of reading{}", in_quotes(name),
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace espalier
