#include "io/dot_bracket_parser.hpp"

#include <numeric>
#include <string>

#include "espalier/base/id_index.hpp"

namespace espalier {

namespace {

constexpr std::string_view unpaired_signs = ".,:_-~";
constexpr std::string_view brackets = "()[]{}<>";

std::uint32_t id(std::size_t place) { return static_cast<std::uint32_t>(place); }

bool is_sign(char c) {
  const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return letter || unpaired_signs.find(c) != unpaired_signs.npos ||
         brackets.find(c) != brackets.npos;
}

}  // namespace

/// Matches the brackets of one kind and stores the pairs in found_.
void DotBracketParser::find_pairs(const Text& structure, char open, char close) {
  std::iota(found_.begin(), found_.end(), 0U);
  open_.clear();
  for (std::size_t i = 0; i < structure.size(); ++i) {
    if (structure[i] == open) open_.push_back(id(i));
    if (structure[i] != close) continue;
    if (open_.empty()) structure.fail(i, "a closing bracket without its opening bracket");
    found_[i] = open_.back();
    found_[open_.back()] = id(i);
    open_.pop_back();
  }
  if (!open_.empty())
    structure.fail(open_.back(), "an opening bracket without its closing bracket");
}

/// Adds those pairs of found_ that cross none of the existing pairs.
void DotBracketParser::keep_nested(const Text& structure) {
  open_.assign(1, none);
  for (std::size_t i = 0; i < structure.size(); ++i) {
    if (partner_[i] < i) open_.pop_back();
    enclosing_[i] = open_.back();
    if (partner_[i] > i) open_.push_back(id(i));
  }
  for (std::size_t i = 0; i < structure.size(); ++i) {
    if (found_[i] != i && enclosing_[i] == enclosing_[found_[i]]) partner_[i] = found_[i];
  }
}

void DotBracketParser::parse(const Text& structure, const Text& sequence, Tree& tree) {
  if (!sequence.empty() && sequence.size() != structure.size()) {
    structure.fail(0, "a structure of " + std::to_string(structure.size()) +
                          " bases for a sequence of " + std::to_string(sequence.size()));
  }
  for (std::size_t i = 0; i < structure.size(); ++i) {
    if (!is_sign(structure[i])) structure.fail(i, "a structure is made of dots and brackets");
  }
  partner_.resize(structure.size());
  found_.resize(structure.size());
  enclosing_.resize(structure.size());
  std::iota(partner_.begin(), partner_.end(), 0U);
  const auto take = [&](char open, char close) {
    const char kind[] = {open, close};
    if (structure.bytes().find_first_of(std::string_view(kind, 2)) == std::string_view::npos)
      return;
    find_pairs(structure, open, close);
    keep_nested(structure);
  };
  for (std::size_t i = 0; i < brackets.size(); i += 2) take(brackets[i], brackets[i + 1]);
  for (char c = 'A'; c <= 'Z'; ++c) take(c, static_cast<char>(c - 'A' + 'a'));

  builder_.start(tree);
  builder_.open(structure, 0, "RNA");
  for (std::size_t i = 0; i < structure.size(); ++i) {
    const std::size_t other = partner_[i];
    if (other < i) {
      builder_.close();
    } else if (other == i) {
      builder_.leaf(structure, i,
                    sequence.empty() ? std::string_view("base") : sequence.bytes().substr(i, 1));
    } else {
      const char bases[] = {sequence.empty() ? '\0' : sequence[i],
                            sequence.empty() ? '\0' : sequence[other]};
      builder_.open(structure, i,
                    sequence.empty() ? std::string_view("pair") : std::string_view(bases, 2));
    }
  }
  builder_.close();
}

}  // namespace espalier
