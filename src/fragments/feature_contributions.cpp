// What the subtrees of examples contribute to linear functions of fragment features.

#include <algorithm>
#include <map>

#include "fragments/feature_state.hpp"

namespace espalier {

std::vector<TermColumn> columns_of(const FeatureTerm& term, const TermRun& run,
                                   const Dataset& data) {
  std::vector<TermColumn> out;
  for (const std::string& name : run.names()) {
    const Slot slot{term.sides.row_member, name};
    const auto column = std::ranges::find(data.trees(), slot, &TreeColumn::slot);
    if (column == data.trees().end()) continue;
    const Forest& forest = data.forests()[column->forest].value;
    out.push_back({*column, forest, run.forest().find_vertices(forest)});
  }
  return out;
}

namespace {

/// The contributions of the tree of a column of the data to an example, created on demand.
TreeContributions& part_for(Contributions& parts, const TreeColumn& column, const Forest& forest,
                            std::size_t example, std::size_t outputs) {
  const auto known = std::ranges::find(parts.trees, column.slot, &TreeContributions::slot);
  if (known != parts.trees.end()) return *known;
  TreeContributions& made = parts.trees.emplace_back();
  made.slot = column.slot;
  for (const Occurrence& o : forest.occurrences(column.trees[example])) {
    made.vertices.push_back(o.vertex);
    made.counts.push_back(o.count);
  }
  made.values = Matrix<double>(made.vertices.size(), outputs);
  std::fill_n(made.values.data(), made.vertices.size() * outputs, 0.0);
  return made;
}

}  // namespace

std::vector<Contributions> FragmentFeatures::contributions(const Dataset& data,
                                                           std::span<const float> weights,
                                                           const Context& context) const {
  const std::size_t outputs = weights.size() / columns();
  std::vector<Contributions> out(data.size());
  FeatureRun run = state_->run(data, context);
  std::vector<std::vector<TermColumn>> columns;
  for (std::size_t t = 0; t < run.terms().size(); ++t) {
    columns.push_back(columns_of(state_->terms.terms[t], run.terms()[t], data));
  }
  std::map<std::uint32_t, double> factors;  // from values to the row
  const auto add = [&](std::size_t i, std::size_t t, const TermColumn& from, double scale) {
    if (from.column.trees[i] == none) return;
    TreeContributions& part = part_for(out[i], from.column, from.forest, i, outputs);
    for (std::size_t k = 0; k < part.vertices.size(); ++k) {
      const double count = part.counts[k];
      const double one = scale * run.terms()[t].feature(count) / count;
      for (const RootedFragment& each : run.terms()[t].at(from.vertices[part.vertices[k]])) {
        const double value = one * each.value * factors[each.column];
        for (std::size_t o = 0; o < outputs; ++o) {
          part.values(k, o) += value * static_cast<double>(weights[each.column * outputs + o]);
        }
      }
    }
  };
  run.for_each_block(context, [&](Slice block) {
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const FeatureRun::Rows rows = run.rows(i);
      const TermRun::Row values = state_->values(rows), row = state_->row(values);
      factors.clear();
      for (std::size_t k = 0; k < row.size(); ++k) {
        factors[row[k].first] = state_->binary ? row[k].second / values[k].second : 1;
      }
      for (std::size_t t = 0; t < columns.size(); ++t) {
        for (const TermColumn& from : columns[t]) add(i, t, from, rows.scales[t]);
      }
    }
  });
  return out;
}

}  // namespace espalier
