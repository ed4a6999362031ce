#include "espalier/model/groups.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "espalier/base/error.hpp"
#include "espalier/base/id_index.hpp"
#include "model/same_trees.hpp"

namespace espalier {

namespace {

const TextColumn& text_column(const Dataset& data, const std::string& name) {
  std::vector<std::string> names;
  for (const TextColumn& column : data.texts()) {
    names.push_back(to_string(column.slot));
    if (names.back() == name) return column;
  }
  if (names.empty()) throw Error("the examples have no texts to group by");
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  throw Error("the examples have no text named " + in_quotes(name) + ": they have " + list);
}

/// Sets of connected examples (union-find).
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The smaller number represents both.
  void connect(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Returns the number of examples with an earlier duplicate.
std::size_t connect_duplicates(const Dataset& data, Components& components) {
  const std::vector<std::uint32_t> first = first_with_same_trees(data);
  std::size_t duplicates = 0;
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    if (first[i] == i) continue;
    components.connect(first[i], i);
    ++duplicates;
  }
  return duplicates;
}

}  // namespace

std::vector<std::uint32_t> text_groups(const Dataset& data, const std::string& name) {
  const TextColumn& column = text_column(data, name);
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!column.texts[i]) throw ExampleError(i, "has no text " + in_quotes(name));
    const auto next = static_cast<std::uint32_t>(numbers.size());
    out.push_back(numbers.try_emplace(*column.texts[i], next).first->second);
  }
  return out;
}

std::vector<std::uint32_t> ExampleGroups::select(std::span<const std::uint32_t> examples) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t i : examples) out.push_back(group_of[i]);
  return out;
}

ExampleGroups example_groups(const Dataset& data, const GroupOptions& options) {
  Components components(data.size());
  ExampleGroups out;
  if (options.groups) {
    std::vector<std::uint32_t> first;  // example of each text
    const std::vector<std::uint32_t> texts = text_groups(data, *options.groups);
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      if (texts[i] == first.size()) first.push_back(i);
      components.connect(first[texts[i]], i);
    }
  }
  if (options.group_duplicates) out.duplicates = connect_duplicates(data, components);
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const std::uint32_t representative = components.find(i);
    out.group_of.push_back(representative == i ? static_cast<std::uint32_t>(out.count++)
                                               : out.group_of[representative]);
  }
  return out;
}

}  // namespace espalier
