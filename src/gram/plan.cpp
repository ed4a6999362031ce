#include "gram/plan.hpp"

#include <algorithm>
#include <cmath>

#include "gram/self_kernels.hpp"

namespace espalier {

namespace {

using Settings = std::span<const KernelNode* const>;

/// Builds a plan; holds the state shared by its parts.
class Planner {
 public:
  Planner(const KernelState& state, Inputs& inputs, const Context& context)
      : state_(state), inputs_(inputs), context_(context) {}

  Plan plan(Settings settings, const Side& rows, const Side& columns) {
    return std::visit([&](const auto& first) { return plan(first, settings, rows, columns); },
                      settings[0]->what);
  }

 private:
  Plan plan(const ConstantNode&, Settings settings, const Side&, const Side&) {
    Plan out;
    for (const KernelNode* node : settings) {
      out.constants.push_back(std::get<ConstantNode>(node->what).value);
    }
    return out;
  }

  Plan plan(const TreeKernelNode&, Settings settings, const Side& rows, const Side& columns) {
    Plan out;
    out.kind = Plan::Kind::leaf;
    out.leaf = make_leaf({rows, columns, all_trees_, state_, inputs_, context_},
                         leaves<TreeKernelNode>(settings));
    return out;
  }

  Plan plan(const VectorKernelNode& first, Settings settings, const Side& rows,
            const Side& columns) {
    Plan out;
    out.kind = Plan::Kind::leaf;
    auto [row_features, column_features] = inputs_.vectors(rows, columns, first.vector);
    out.leaf = make_vector_leaf(std::move(row_features), std::move(column_features),
                                leaves<VectorKernelNode>(settings));
    return out;
  }

  template <class Node>
  static std::vector<Node> leaves(Settings settings) {
    std::vector<Node> out;
    for (const KernelNode* node : settings) out.push_back(std::get<Node>(node->what));
    return out;
  }

  Plan plan(const CombinationNode& first, Settings settings, const Side& rows,
            const Side& columns) {
    const auto operand = [&](std::size_t which, const Side& r, const Side& c) {
      std::vector<const KernelNode*> operands;
      for (const KernelNode* node : settings) {
        operands.push_back(&std::get<CombinationNode>(node->what).operands[which]);
      }
      return plan(operands, r, c);
    };
    const auto member = [](const Side& side, const char* name) { return Side{side.data, name}; };
    const Side row_a = member(rows, "a"), row_b = member(rows, "b");
    const Side column_a = member(columns, "a"), column_b = member(columns, "b");
    Plan out;
    out.kind = Plan::Kind::sum;
    switch (first.how) {
      case Combination::product:
        out.kind = Plan::Kind::product;
        [[fallthrough]];
      case Combination::sum:
        for (std::size_t i = 0; i < first.operands.size(); ++i) {
          out.parts.push_back(operand(i, rows, columns));
        }
        // Constants last: they need no block of their own. clang 14 cannot compile
        // std::ranges::partition.
        std::stable_partition(out.parts.begin(), out.parts.end(),
                              [](const Plan& p) { return p.kind != Plan::Kind::constant; });
        break;
      case Combination::cross:
        out.parts.push_back(operand(0, row_a, column_b));
        out.parts.push_back(operand(0, row_b, column_a));
        [[fallthrough]];
      case Combination::pair:
        out.parts.push_back(operand(0, row_a, column_a));
        out.parts.push_back(operand(0, row_b, column_b));
        break;
      case Combination::pair_product:
        out.kind = Plan::Kind::product;
        out.parts.push_back(operand(0, row_a, column_a));
        out.parts.push_back(operand(0, row_b, column_b));
        break;
      case Combination::norm: {
        out.kind = Plan::Kind::norm;
        out.same_sides = rows == columns;
        out.parts.push_back(operand(0, rows, columns));
        const Plan row_plan = out.same_sides ? Plan() : operand(0, rows, rows);
        const Plan column_plan = out.same_sides ? Plan() : operand(0, columns, columns);
        out.lengths = norm_lengths(out.same_sides ? out.parts[0] : row_plan,
                                   out.same_sides ? out.parts[0] : column_plan, rows.data->size(),
                                   columns.data->size(), settings.size(), context_);
        break;
      }
      case Combination::each:
        for (const std::string& name : Inputs::tree_names(rows)) {
          const auto others = Inputs::tree_names(columns);
          if (std::ranges::find(others, name) == others.end()) continue;
          out.parts.push_back(operand(0, with_tree(rows, name), with_tree(columns, name)));
        }
        break;
      case Combination::all:
        if (sums_over_trees(first.operands[0])) {
          all_trees_ = true;
          out.parts.push_back(operand(0, rows, columns));
          all_trees_ = false;
          break;
        }
        for (const std::string& a : Inputs::tree_names(rows)) {
          for (const std::string& b : Inputs::tree_names(columns)) {
            out.parts.push_back(operand(0, with_tree(rows, a), with_tree(columns, b)));
          }
        }
        break;
    }
    if (out.parts.empty()) throw Error("the two data sets have no name of a tree in common");
    return out;
  }

  static Side with_tree(Side side, const std::string& name) {
    side.tree = name;
    return side;
  }

  const KernelState& state_;
  Inputs& inputs_;
  const Context& context_;
  bool all_trees_ = false;
};

void combine(Plan::Kind kind, double* out, const double* part, std::size_t size) {
  if (kind == Plan::Kind::sum) {
    for (std::size_t j = 0; j < size; ++j) out[j] += part[j];
  } else {
    for (std::size_t j = 0; j < size; ++j) out[j] *= part[j];
  }
}

void combine(Plan::Kind kind, double* out, double part, std::size_t size) {
  if (kind == Plan::Kind::sum) {
    for (std::size_t j = 0; j < size; ++j) out[j] += part;
  } else {
    for (std::size_t j = 0; j < size; ++j) out[j] *= part;
  }
}

double quotient(double value, double row_length, double column_length) {
  const double both = row_length * column_length;
  return both > 0 ? value / both : 0;
}

}  // namespace

bool same_shape(const KernelNode& a, const KernelNode& b) {
  if (a.what.index() != b.what.index()) return false;
  if (const auto* leaf = std::get_if<TreeKernelNode>(&a.what)) {
    return same_structure(*leaf, std::get<TreeKernelNode>(b.what));
  }
  if (const auto* leaf = std::get_if<VectorKernelNode>(&a.what)) {
    const auto& other = std::get<VectorKernelNode>(b.what);
    return leaf->vector == other.vector && leaf->options.index() == other.options.index();
  }
  const auto* inner = std::get_if<CombinationNode>(&a.what);
  if (inner == nullptr) return true;
  const auto& other = std::get<CombinationNode>(b.what);
  return inner->how == other.how && std::ranges::equal(inner->operands, other.operands, same_shape);
}

Plan make_plan(Settings settings, const KernelState& state, const Side& rows, const Side& columns,
               Inputs& inputs, const Context& context) {
  return Planner(state, inputs, context).plan(settings, rows, columns);
}

PlanWorker::PlanWorker(const Plan& plan) : plan_(plan) {
  for (const Plan& part : plan.parts) parts_.emplace_back(part);
  if (plan.leaf) leaf_ = plan.leaf->worker();
}

void PlanWorker::start(Slice rows, Slice columns) {
  columns_ = columns;
  if (leaf_) leaf_->start(rows, columns);
  for (PlanWorker& part : parts_) part.start(rows, columns);
}

void PlanWorker::rows(Slice rows, std::span<const BlockView<double>> outs) {
  const std::size_t size = columns_.size();
  switch (plan_.kind) {
    case Plan::Kind::leaf:
      leaf_->rows(rows, outs);
      return;
    case Plan::Kind::constant:
      for (std::size_t s = 0; s < outs.size(); ++s) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          std::fill_n(outs[s].row(i), size, plan_.constants[s]);
        }
      }
      return;
    case Plan::Kind::norm:
      normalise(rows, outs);
      return;
    case Plan::Kind::sum:
    case Plan::Kind::product:
      break;
  }
  parts_[0].rows(rows, outs);
  std::vector<BlockView<double>> part_outs(outs.size());
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    const bool constant = plan_.parts[p].kind == Plan::Kind::constant;
    if (!constant) {
      buffer_.resize(outs.size() * rows.size() * size);
      for (std::size_t s = 0; s < outs.size(); ++s) {
        part_outs[s] = {buffer_.data() + s * rows.size() * size, size};
      }
      parts_[p].rows(rows, part_outs);
    }
    for (std::size_t s = 0; s < outs.size(); ++s) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (constant) {
          combine(plan_.kind, outs[s].row(i), plan_.parts[p].constants[s], size);
        } else {
          combine(plan_.kind, outs[s].row(i), part_outs[s].row(i), size);
        }
      }
    }
  }
}

void PlanWorker::normalise(Slice rows, std::span<const BlockView<double>> outs) {
  const Slice columns = columns_;
  parts_[0].rows(rows, outs);
  for (std::size_t s = 0; s < outs.size(); ++s) {
    const NormLengths& lengths = plan_.lengths[s];
    if (!lengths.all_ordinary()) {
      divide(s, rows, outs[s]);
    } else {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        double* const out = outs[s].row(i);
        const double length = lengths.rows.roots[rows.begin + i];
        const double* const others = lengths.columns.roots.data() + columns.begin;
        for (std::size_t j = 0; j < columns.size(); ++j)
          out[j] = quotient(out[j], length, others[j]);
      }
    }
    if (!plan_.same_sides) continue;
    // Rounding would leave some of these slightly different from 1.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t j = rows.begin + i - columns.begin;
      if (j < columns.size() && outs[s].row(i)[j] > 0) outs[s].row(i)[j] = 1;
    }
  }
}

/// Recomputes values that are out of the range of doubles.
void PlanWorker::divide(std::size_t setting, Slice rows, BlockView<double> out) {
  const Slice columns = columns_;
  const NormLengths& lengths = plan_.lengths[setting];
  scaled_.resize(rows.size() * columns.size());
  for (const auto& [part_rows, part_columns] : lost_parts(lengths, rows, columns, out)) {
    Scaled* const first = scaled_.data() + (part_rows.begin - rows.begin) * columns.size() +
                          (part_columns.begin - columns.begin);
    parts_[0].scaled_block(setting, part_rows, part_columns, {first, columns.size()});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::size_t row = rows.begin + i;
      const std::size_t column = columns.begin + j;
      double& value = out.row(i)[j];
      if (lengths.is_ordinary(row, column)) {
        value = quotient(value, lengths.rows.roots[row], lengths.columns.roots[column]);
      } else {
        const bool lost = lengths.is_lost(row, column, value);
        const Scaled kernel = lost ? scaled_[i * columns.size() + j] : Scaled(value);
        value = kernel.normalised_by(lengths.rows.scaled[row], lengths.columns.scaled[column]);
      }
    }
  }
}

void PlanWorker::scaled_block(std::size_t setting, Slice rows, Slice columns,
                              BlockView<Scaled> out) {
  leaf_->scaled_block(setting, rows, columns, out);
}

std::size_t PlanWorker::bytes(Slice rows, Slice columns, std::size_t enough) {
  enough /= std::max<std::size_t>(1, parts_.size());
  const std::size_t cells = std::min(tile_rows, rows.size()) * columns.size();
  std::size_t total = leaf_ ? leaf_->bytes(rows, columns, enough) : 0;
  for (PlanWorker& part : parts_) total += part.bytes(rows, columns, enough);
  if (plan_.parts.size() > 1) total += cells * sizeof(double) * most_lanes;
  const bool ordinary = std::ranges::all_of(plan_.lengths, &NormLengths::all_ordinary);
  // Scaled numbers are twice as large as doubles, in the blocks and below.
  if (!ordinary) total = 3 * total + cells * sizeof(Scaled);
  return total;
}

}  // namespace espalier
