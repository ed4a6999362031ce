#include <algorithm>
#include <cmath>

#include "engine/dense_product.hpp"
#include "engine/distributed/distributed_side.hpp"
#include "engine/tree_kernel.hpp"

namespace espalier {

namespace {

/// The vectors of one side for one thread: those kept by the side, or those of the last block.
class BlockRows {
 public:
  BlockRows(const DistributedSide& side, const Context& context) : side_(side), context_(context) {}

  DenseRows<float> rows(Slice examples) {
    if (side_.kept()) return {side_.kept()->values, examples};
    if (examples != computed_) {
      rows_ = side_.rows(examples, context_);
      computed_ = examples;
    }
    return rows_.values;
  }
  /// The exponents of the rows last asked for.
  std::span<const int> exponents(Slice examples) const {
    if (!side_.kept()) return rows_.exponents;
    return std::span(side_.kept()->exponents).subspan(examples.begin, examples.size());
  }
  std::size_t bytes(Slice examples) const {
    return side_.kept() ? 0 : side_.bytes(examples.size());
  }

 private:
  const DistributedSide& side_;
  const Context& context_;
  ScaledRows rows_;
  Slice computed_;
};

class DistributedWorker final : public LeafWorker {
 public:
  DistributedWorker(const DistributedSide& rows, const DistributedSide& columns,
                    const Context& context)
      : rows_(rows, context), columns_(columns, context) {}

  void start(Slice, Slice columns) override { block_columns_ = columns; }

  /// The settings are all the same: none is swept.
  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    dense_product(rows_.rows(rows), columns_.rows(block_columns_), outs[0]);
    multiply_by_powers(rows, block_columns_, outs[0],
                       [](double& value, int power) { value = std::ldexp(value, power); });
    for (const BlockView<double>& other : outs.subspan(1)) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(outs[0].row(i), block_columns_.size(), other.row(i));
      }
    }
  }

  void scaled_block(std::size_t, Slice rows, Slice columns, BlockView<Scaled> out) override {
    std::vector<double> values(rows.size() * columns.size());
    const BlockView<double> plain = {values.data(), columns.size()};
    dense_product(rows_.rows(rows), columns_.rows(columns), plain);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(plain.row(i), columns.size(), out.row(i));
    }
    multiply_by_powers(rows, columns, out,
                       [](Scaled& value, int power) { value = value.shifted(power); });
  }

  std::size_t bytes(Slice rows, Slice columns, std::size_t) override {
    return rows_.bytes(rows) + columns_.bytes(columns);
  }

 private:
  /// Calls multiply(value, power) for each value of vectors with an exponent.
  template <class T>
  void multiply_by_powers(Slice rows, Slice columns, BlockView<T> out, auto&& multiply) const {
    const auto left = rows_.exponents(rows);
    const auto right = columns_.exponents(columns);
    const auto is_zero = [](int exponent) { return exponent == 0; };
    if (std::ranges::all_of(left, is_zero) && std::ranges::all_of(right, is_zero)) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (left[i] != 0 || right[j] != 0) multiply(out.row(i)[j], left[i] + right[j]);
      }
    }
  }

  BlockRows rows_;
  BlockRows columns_;
  Slice block_columns_;
};

/// The vectors of one side, shared by all leaves that use them.
std::shared_ptr<const DistributedSide> shared_side(const DistributedTreeOptions& options,
                                                   const Side& side,
                                                   const std::vector<std::string>& names,
                                                   Inputs& inputs, const Context& context) {
  std::erase_if(inputs.shared, [](const auto& known) { return known.expired(); });
  for (const auto& weak : inputs.shared) {
    auto known = std::dynamic_pointer_cast<const DistributedSide>(weak.lock());
    if (known && known->side() == side && known->names() == names && known->options() == options) {
      return known;
    }
  }
  const auto made = std::make_shared<DistributedSide>(options, side, names);
  made->keep(context);
  inputs.shared.push_back(made);
  return made;
}

/// Vectors that are not kept are computed for each block, by threads that share the memory.
Leaf distributed_leaf(const LeafSides& sides, std::span<const TreeKernelNode> settings) {
  const auto names = sides.tree_names(settings[0].tree);
  const auto& options = std::get<DistributedTreeOptions>(settings[0].options);
  const auto rows = shared_side(options, sides.rows, names.first, sides.inputs, sides.context);
  const auto columns =
      shared_side(options, sides.columns, names.second, sides.inputs, sides.context);
  const auto context = std::make_shared<Context>();  // of one worker
  context->threads = 1;
  context->memory = sides.context.memory / thread_count(sides.context) / 2;
  // A vector far below the range has a kernel with itself of 0 in double precision.
  return {[=] { return std::make_unique<DistributedWorker>(*rows, *columns, *context); },
          [=](std::size_t row) { return rows->is_outside(row); }};
}

}  // namespace

template <>
const TreeKernel& tree_kernel<DistributedTreeOptions>() {
  static const TreeKernel kernel{
      .sides_leaf = distributed_leaf,
      .dense_dim =
          [](const TreeKernelNode& node) {
            return std::get<DistributedTreeOptions>(node.options).dim;
          },
      .dense_vectors = [](const TreeKernelNode& node, const Side& side,
                          const std::vector<std::string>& names) -> std::unique_ptr<DenseVectors> {
        return std::make_unique<DistributedSide>(std::get<DistributedTreeOptions>(node.options),
                                                 side, names);
      }};
  return kernel;
}

}  // namespace espalier
