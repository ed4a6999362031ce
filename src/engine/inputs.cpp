#include "engine/inputs.hpp"

#include <algorithm>

#include "espalier/base/error.hpp"

namespace espalier {

std::pair<std::string, std::string> both_names(const Side& rows, const Side& columns,
                                               const std::string& name) {
  const std::string& row_name =
      rows.data->trees(rows.tree.empty() ? name : rows.tree, rows.member).slot.name;
  const bool other_name = !columns.tree.empty();
  return {row_name,
          columns.data->trees(other_name ? columns.tree : row_name, columns.member).slot.name};
}

const Forest* find_forest(const Dataset& data, const std::string& name) {
  const auto found = std::ranges::find(data.forests(), name, &Named<Forest>::name);
  return found == data.forests().end() ? nullptr : &found->value;
}

std::unique_ptr<const Bags> make_bags(const Forest& forest, const Side& side,
                                      const std::vector<std::string>& names,
                                      std::span<const TreeId> offsets) {
  auto bags = std::make_unique<Bags>(forest);
  std::vector<const TreeColumn*> columns(names.size(), nullptr);
  for (const TreeColumn& column : side.data->trees()) {
    const auto name = std::ranges::find(names, column.slot.name);
    if (column.slot.member == side.member && name != names.end()) {
      columns[static_cast<std::size_t>(name - names.begin())] = &column;
    }
  }
  std::vector<TreeId> trees;
  for (std::size_t i = 0; i < side.data->size(); ++i) {
    trees.clear();
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (columns[n] == nullptr || columns[n]->trees[i] == none) continue;
      trees.push_back(offsets[n] + columns[n]->trees[i]);
    }
    if (trees.size() <= 1) {
      bags->add(trees.empty() ? none : trees[0]);
    } else {
      bags->add(trees);
    }
  }
  return bags;
}

const VectorColumn& vector_column(const Side& side, const std::string& name) {
  std::vector<std::string> names;
  const VectorColumn* found = nullptr;
  for (const VectorColumn& column : side.data->vectors()) {
    if (column.slot.member != side.member) continue;
    names.push_back(column.slot.name);
    if (name.empty() || column.slot.name == name) found = &column;
  }
  if (found != nullptr && (!name.empty() || names.size() == 1)) return *found;
  if (names.empty()) throw Error("the examples have no vectors");
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  if (name.empty()) throw Error("the examples have several vectors: name one of " + list);
  throw Error("the examples have no vector named " + in_quotes(name) + ": they have " + list);
}

SparseMatrix make_features(const VectorColumn& column,
                           const std::function<std::uint32_t(LabelId)>& number) {
  SparseMatrix out;
  std::vector<std::pair<std::uint32_t, double>> row;
  for (std::size_t i = 0; i + 1 < column.begin.size(); ++i) {
    row.clear();
    for (std::uint64_t at = column.begin[i]; at < column.begin[i + 1]; ++at) {
      const auto dense_id = static_cast<std::uint32_t>(at - column.begin[i]);
      row.emplace_back(column.dense ? dense_id : number(column.features[at]), column.values[at]);
    }
    std::ranges::sort(row);
    for (const auto& [id, value] : row) out.append(id, value);
    out.finish_row();
  }
  return out;
}

std::vector<std::string> Inputs::tree_names(const Side& side) {
  std::vector<std::string> names;
  for (const TreeColumn& column : side.data->trees()) {
    if (column.slot.member == side.member) names.push_back(column.slot.name);
  }
  if (names.empty()) side.data->trees("", side.member);  // throws with a message
  return names;
}

std::vector<std::string> Inputs::tree_names(const Side& side, const TreeKernelNode& kernel,
                                            bool all) {
  if (all) return tree_names(side);
  return {side.data->trees(side.tree.empty() ? kernel.tree : side.tree, side.member).slot.name};
}

const Inputs::Merged& Inputs::merged(const Part& rows, const Part& columns,
                                     const ForestOptions& options) {
  Merged& out = merged_[{rows, columns, options.ordered, options.labelled}];
  auto& [merged_forest, offsets] = out;
  if (merged_forest) return out;
  // Views of one data set have the same forest.
  const auto first_forest = [](const Part& part) {
    return find_forest(*part.first, part.second[0]);
  };
  const Forest* const first = first_forest(rows);
  const bool one_name = rows.second.size() == 1 && columns.second.size() == 1;
  const bool shared = rows == columns || (one_name && first == first_forest(columns));
  if (shared && one_name && options == ForestOptions()) {
    // The data set outlives the computation: no copy.
    merged_forest = {std::shared_ptr<void>(), first};
    offsets = {0};
  } else {
    auto forest = std::make_shared<Forest>(options);
    const auto add = [&, &all = offsets](const Part& part) {
      const auto& [data, names] = part;
      for (const std::string& name : names) {
        all.push_back(static_cast<TreeId>(forest->tree_count()));
        forest->merge(*find_forest(*data, name));
      }
    };
    add(rows);
    if (!shared) add(columns);
    merged_forest = std::move(forest);
  }
  return out;
}

TreeInput Inputs::trees(const Side& rows, const Side& columns, const std::pair<Names, Names>& names,
                        const ForestOptions& options) {
  const auto& [forest, offsets] =
      merged({rows.data, names.first}, {columns.data, names.second}, options);
  TreeInput out{forest, make_bags(*forest, rows, names.first, offsets), nullptr};
  if (rows != columns) {
    // Sides that share their trees share the offsets.
    out.own_columns =
        make_bags(*forest, columns, names.second, std::span(offsets).last(names.second.size()));
  }
  return out;
}

std::pair<SparseMatrix, SparseMatrix> Inputs::vectors(const Side& rows, const Side& columns,
                                                      const std::string& name) {
  const VectorColumn& a = vector_column(rows, name);
  const VectorColumn& b = vector_column(columns, a.slot.name);
  if (a.dense != b.dense || (a.dense && a.dimension != b.dimension)) {
    throw Error("the vectors named " + in_quotes(a.slot.name) +
                " of the two data sets differ in kind or dimension");
  }
  LabelTable numbers;
  const auto number_in = [&](const VectorColumn& column) {
    return [&](LabelId id) { return numbers.intern(column.feature_names.text(id)); };
  };
  SparseMatrix row_features = make_features(a, number_in(a));
  SparseMatrix column_features = make_features(b, number_in(b));
  for (SparseMatrix* side : {&row_features, &column_features}) {
    side->set_columns(a.dense ? a.dimension : numbers.size());
  }
  return {std::move(row_features), std::move(column_features)};
}

}  // namespace espalier
