#include "espalier/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// The place of the column for that slot; the number of columns if there is none.
template <class Column>
std::size_t find_slot(const std::vector<Column>& columns, NameIndex& index, const Slot& slot) {
  // Members are named "a" and "b", which never hold a NUL byte.
  const auto key = [](const Slot& s) { return s.member + '\0' + s.name; };
  return index.find(key(slot), columns.size(), [&](std::size_t i) { return key(columns[i].slot); });
}

/// The column for that slot, created if necessary.
template <class Column>
Column& slot_in(std::vector<Column>& columns, NameIndex& index, Slot slot) {
  const std::size_t found = find_slot(columns, index, slot);
  if (found < columns.size()) return columns[found];
  columns.emplace_back().slot = std::move(slot);
  return columns.back();
}

std::string member_of(const std::string& member, std::size_t which) {
  return member.empty() ? member_names[which] : member + "/" + member_names[which];
}

template <class Items>
void check_names(const Items& items, const char* kind) {
  if (items.size() < 2) return;
  std::vector<std::string_view> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    throw Error("two " + std::string(kind) + " of one example are named " + in_quotes(*twice));
  }
}

void check_labels(std::span<const Label> labels) {
  for (const Label& label : labels) {
    if (!std::isfinite(label.value.value_or(0))) throw Error("a label is not a finite number");
  }
}

/// The example that is `member` of `example`, created if necessary.
Example& descend(Example& example, std::string_view member) {
  Example* at = &example;
  for (; !member.empty(); member.remove_prefix(std::min<std::size_t>(2, member.size()))) {
    at->members.resize(2);
    at = &at->members[member[0] == 'a' ? 0 : 1];
  }
  return *at;
}

/// The selected elements, in this order.
template <class T>
std::vector<T> gathered(const std::vector<T>& from, std::span<const std::uint32_t> which) {
  std::vector<T> out;
  out.reserve(which.size());
  for (const std::uint32_t i : which) out.push_back(from[i]);
  return out;
}

/// Concatenates the parts [begin[i], begin[i + 1]) of `from`. Returns the offset of each.
template <class T>
std::vector<std::uint64_t> gather_parts(const std::vector<T>& from,
                                        const std::vector<std::uint64_t>& begin,
                                        std::span<const std::uint32_t> which, std::vector<T>& to) {
  std::vector<std::uint64_t> begins = {0};
  for (const std::uint32_t i : which) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin[i]),
              from.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]));
    begins.push_back(to.size());
  }
  return begins;
}

VectorColumn gathered(const VectorColumn& from, std::span<const std::uint32_t> which) {
  VectorColumn out;
  out.slot = from.slot;
  out.dense = from.dense;
  out.dimension = from.dimension;
  out.feature_names = from.feature_names;
  out.present = gathered(from.present, which);
  out.begin = gather_parts(from.values, from.begin, which, out.values);
  if (!from.dense) gather_parts(from.features, from.begin, which, out.features);
  return out;
}

FeatureVector row(const VectorColumn& column, std::size_t index) {
  FeatureVector vector;
  vector.dense = column.dense;
  for (std::uint64_t i = column.begin[index]; i < column.begin[index + 1]; ++i) {
    if (!column.dense) vector.features.emplace_back(column.feature_names.text(column.features[i]));
    vector.values.push_back(column.values[i]);
  }
  return vector;
}

}  // namespace

std::string to_string(const Slot& slot) {
  return slot.member.empty() ? slot.name : slot.member + "/" + slot.name;
}

void Dataset::add(const Example& example) {
  check(example, "");
  add(example, "");
  ++size_;
  pad();
}

void Dataset::append(const Dataset& other) {
  for (std::size_t i = 0; i < other.size(); ++i) add(other.example(i));
}

void Dataset::check(const Example& example, const std::string& member) {
  check_names(example.trees, "trees");
  check_names(example.vectors, "vectors");
  check_names(example.texts, "texts");
  check_labels(example.labels);
  for (const auto& [name, vector] : example.vectors) {
    if (!std::ranges::all_of(vector.values, [](double value) { return std::isfinite(value); })) {
      throw Error("vector " + in_quotes(name) + " has a value that is not a finite number");
    }
    const std::size_t found = find_slot(vectors_, vector_index_, {member, name});
    if (found == vectors_.size()) continue;
    const VectorColumn& column = vectors_[found];
    if (column.dense != vector.dense) {
      throw Error("vector " + in_quotes(name) + " is dense in one example and sparse in another");
    }
    if (vector.dense && vector.values.size() != column.dimension) {
      throw Error("vector " + in_quotes(name) + " has " + std::to_string(vector.values.size()) +
                  " values here and " + std::to_string(column.dimension) + " before");
    }
  }
  for (std::size_t i = 0; i < example.members.size(); ++i) {
    check(example.members[i], member_of(member, i));
  }
}

void Dataset::add(const Example& example, const std::string& member) {
  auto labels = std::ranges::find(labels_, member, &LabelColumn::member);
  if (labels == labels_.end()) labels = labels_.insert(labels_.end(), LabelColumn{member, {0}, {}});
  labels->begin.resize(size_ + 1, labels->entries.size());
  for (const Label& label : example.labels) {
    labels->entries.push_back({label_names_.intern(label.name), label.value});
  }
  for (const auto& [name, tree] : example.trees) {
    TreeColumn& column = slot_in(trees_, tree_index_, {member, name});
    column.forest = forest_named(name);
    column.trees.resize(size_, none);
    column.trees.push_back(own_forests()[column.forest].value.add(tree));
  }
  for (const auto& [name, vector] : example.vectors) {
    add(vector, slot_in(vectors_, vector_index_, {member, name}));
  }
  for (const auto& [name, text] : example.texts) {
    TextColumn& column = slot_in(texts_, text_index_, {member, name});
    column.texts.resize(size_);
    column.texts.emplace_back(text);
  }
  for (std::size_t i = 0; i < example.members.size(); ++i) {
    add(example.members[i], member_of(member, i));
  }
}

void Dataset::add(const FeatureVector& vector, VectorColumn& column) const {
  if (column.begin.empty()) {
    column.dense = vector.dense;
    column.dimension = vector.dense ? vector.values.size() : 0;
  }
  column.begin.resize(size_ + 1, column.values.size());
  column.present.resize(size_, 0);
  column.present.push_back(1);
  if (vector.dense) {
    column.values.insert(column.values.end(), vector.values.begin(), vector.values.end());
    return;
  }
  std::vector<std::pair<LabelId, double>> entries;
  for (std::size_t i = 0; i < vector.features.size(); ++i) {
    entries.emplace_back(column.feature_names.intern(vector.features[i]), vector.values[i]);
  }
  std::ranges::stable_sort(entries, {}, &std::pair<LabelId, double>::first);
  const std::size_t begin = column.values.size();
  for (const auto& [feature, value] : entries) {
    if (column.values.size() > begin && column.features.back() == feature) {
      column.values.back() += value;
    } else {
      column.features.push_back(feature);
      column.values.push_back(value);
    }
  }
}

/// Every column covers every example, including those without a value.
void Dataset::pad() {
  for (LabelColumn& column : labels_) column.begin.resize(size_ + 1, column.entries.size());
  for (TreeColumn& column : trees_) column.trees.resize(size_, none);
  for (VectorColumn& column : vectors_) {
    column.begin.resize(size_ + 1, column.values.size());
    column.present.resize(size_, 0);
  }
  for (TextColumn& column : texts_) column.texts.resize(size_);
}

std::size_t Dataset::forest_named(const std::string& name) {
  const auto known = forests();
  const std::size_t found =
      forest_index_.find(name, known.size(), [&](std::size_t i) { return known[i].name; });
  if (found == known.size()) own_forests().push_back({name, Forest()});
  return found;
}

/// The forests, unshared so that they can be modified.
std::vector<Named<Forest>>& Dataset::own_forests() {
  if (!forests_) {
    forests_ = std::make_shared<std::vector<Named<Forest>>>();
  } else if (forests_.use_count() > 1) {
    forests_ = std::make_shared<std::vector<Named<Forest>>>(*forests_);
  }
  return *forests_;
}

Example Dataset::example(std::size_t index) const {
  Example out;
  for (const LabelColumn& column : labels_) {
    for (const LabelEntry& entry : labels(index, column.member)) {
      Example& owner = descend(out, column.member);
      owner.labels.push_back({std::string(label_names_.text(entry.name)), entry.value});
    }
  }
  for (const TreeColumn& column : trees_) {
    if (column.trees[index] == none) continue;
    const Forest& forest = forests()[column.forest].value;
    Example& owner = descend(out, column.slot.member);
    owner.trees.push_back({column.slot.name, forest.tree(column.trees[index])});
  }
  for (const VectorColumn& column : vectors_) {
    if (!column.present[index]) continue;
    descend(out, column.slot.member).vectors.push_back({column.slot.name, row(column, index)});
  }
  for (const TextColumn& column : texts_) {
    if (!column.texts[index]) continue;
    descend(out, column.slot.member).texts.push_back({column.slot.name, *column.texts[index]});
  }
  return out;
}

Dataset Dataset::select(std::span<const std::uint32_t> examples) const {
  Dataset out;
  out.reading_ = reading_;
  for (const TreeColumn& column : trees_) {
    slot_in(out.trees_, out.tree_index_, column.slot).forest = out.forest_named(column.slot.name);
  }
  for (const VectorColumn& column : vectors_) {
    VectorColumn& copy = slot_in(out.vectors_, out.vector_index_, column.slot);
    copy.dense = column.dense;
    copy.dimension = column.dimension;
    copy.begin = {0};
  }
  for (const TextColumn& column : texts_) {
    slot_in(out.texts_, out.text_index_, column.slot);
  }
  for (const std::uint32_t i : examples) out.add(example(i));
  return out;
}

Dataset Dataset::view(std::span<const std::uint32_t> examples) const {
  Dataset out;
  out.reading_ = reading_;
  out.size_ = examples.size();
  out.label_names_ = label_names_;
  out.forests_ = forests_;
  for (const LabelColumn& column : labels_) {
    LabelColumn& copy = out.labels_.emplace_back(LabelColumn{column.member, {}, {}});
    copy.begin = gather_parts(column.entries, column.begin, examples, copy.entries);
  }
  for (const TreeColumn& column : trees_) {
    out.trees_.push_back({column.slot, column.forest, gathered(column.trees, examples)});
  }
  for (const VectorColumn& column : vectors_) out.vectors_.push_back(gathered(column, examples));
  for (const TextColumn& column : texts_) {
    out.texts_.push_back({column.slot, gathered(column.texts, examples)});
  }
  return out;
}

Dataset Dataset::relabelled(std::span<const std::vector<Label>> labels) const {
  if (labels.size() != size_) throw Error("expected one list of labels per example");
  Dataset out = *this;
  std::erase_if(out.labels_, [](const LabelColumn& column) { return column.member.empty(); });
  LabelColumn column{"", {0}, {}};
  for (const std::vector<Label>& own : labels) {
    check_labels(own);
    for (const Label& label : own) {
      column.entries.push_back({out.label_names_.intern(label.name), label.value});
    }
    column.begin.push_back(column.entries.size());
  }
  out.labels_.push_back(std::move(column));
  return out;
}

std::span<const LabelEntry> Dataset::labels(std::size_t index, std::string_view member) const {
  const auto column = std::ranges::find(labels_, member, &LabelColumn::member);
  if (column == labels_.end()) return {};
  return {column->entries.data() + column->begin[index],
          column->entries.data() + column->begin[index + 1]};
}

const TreeColumn& Dataset::trees(std::string_view name, std::string_view member) const {
  std::vector<std::string> names;
  const TreeColumn* found = nullptr;
  for (const TreeColumn& column : trees_) {
    if (column.slot.member != member) continue;
    names.push_back(column.slot.name);
    if (name.empty() || column.slot.name == name) found = &column;
  }
  if (found != nullptr && (!name.empty() || names.size() == 1)) return *found;
  if (names.empty()) {
    throw Error("the examples have no trees" +
                (member.empty() ? "" : " in member " + in_quotes(member) + ": are they pairs?"));
  }
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  if (name.empty()) throw Error("the examples have several trees: name one of " + list);
  throw Error("the examples have no tree named " + in_quotes(name) + ": they have " + list);
}

const TextColumn* ids_of(const Dataset& data) {
  const auto found = std::ranges::find(data.texts(), Slot{"", "id"}, &TextColumn::slot);
  return found == data.texts().end() ? nullptr : &*found;
}

}  // namespace espalier
