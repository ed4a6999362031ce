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
    if (side_.kept()) return {*side_.kept(), examples};
    if (examples != computed_) {
      matrix_ = side_.rows(examples, context_);
      computed_ = examples;
    }
    return matrix_;
  }
  std::size_t bytes(Slice examples) const {
    return side_.kept() ? 0 : side_.bytes(examples.size());
  }

 private:
  const DistributedSide& side_;
  const Context& context_;
  Matrix<float> matrix_;
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
    for (const BlockView<double>& other : outs.subspan(1)) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(outs[0].row(i), block_columns_.size(), other.row(i));
      }
    }
  }

  void scaled_block(std::size_t, Slice rows, Slice columns, BlockView<Scaled> out) override {
    std::vector<double> values(rows.size() * columns.size());
    const BlockView<double> plain = {values.data(), columns.size()};
    start(rows, columns);
    this->rows(rows, {&plain, 1});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(plain.row(i), columns.size(), out.row(i));
    }
  }

  std::size_t bytes(Slice rows, Slice columns, std::size_t) override {
    return rows_.bytes(rows) + columns_.bytes(columns);
  }

 private:
  BlockRows rows_;
  BlockRows columns_;
  Slice block_columns_;
};

/// Vectors that are not kept are computed for each block, by threads that share the memory.
class DistributedLeaf final : public Leaf {
 public:
  using SharedSide = std::shared_ptr<const DistributedSide>;
  DistributedLeaf(SharedSide rows, SharedSide columns, const Context& context)
      : rows_(std::move(rows)), columns_(std::move(columns)) {
    context_.threads = 1;
    context_.memory = context.memory / thread_count(context) / 2;
  }
  std::unique_ptr<LeafWorker> worker() const override {
    return std::make_unique<DistributedWorker>(*rows_, *columns_, context_);
  }

 private:
  SharedSide rows_;
  SharedSide columns_;
  Context context_;  ///< of one worker
};

/// The dot product of distributed trees.
class DistributedKernel final : public TreeKernel {
 public:
  using TreeKernel::leaf;
  std::unique_ptr<Leaf> leaf(const LeafSides& sides,
                             std::span<const TreeKernelNode> settings) const override {
    const auto names = sides.tree_names(settings[0].tree);
    const auto& options = std::get<DistributedTreeOptions>(settings[0].options);
    return std::make_unique<DistributedLeaf>(
        side(options, sides.rows, names.first, sides.inputs, sides.context),
        side(options, sides.columns, names.second, sides.inputs, sides.context), sides.context);
  }

  std::size_t dense_dim(const TreeKernelNode& kernel) const override {
    return std::get<DistributedTreeOptions>(kernel.options).dim;
  }
  std::unique_ptr<DenseVectors> dense_vectors(
      const TreeKernelNode& kernel, const Side& side,
      const std::vector<std::string>& names) const override {
    return std::make_unique<DistributedSide>(std::get<DistributedTreeOptions>(kernel.options), side,
                                             names);
  }

 private:
  /// The vectors of one side, shared by all leaves that use them.
  static std::shared_ptr<const DistributedSide> side(const DistributedTreeOptions& options,
                                                     const Side& side,
                                                     const std::vector<std::string>& names,
                                                     Inputs& inputs, const Context& context) {
    std::erase_if(inputs.shared, [](const auto& known) { return known.expired(); });
    for (const auto& weak : inputs.shared) {
      auto known = std::dynamic_pointer_cast<const DistributedSide>(weak.lock());
      if (known && known->side() == side && known->names() == names &&
          known->options() == options) {
        return known;
      }
    }
    const auto made = std::make_shared<DistributedSide>(options, side, names);
    made->keep(context);
    inputs.shared.push_back(made);
    return made;
  }
};

}  // namespace

template <>
const TreeKernel& tree_kernel<DistributedTreeOptions>() {
  static const DistributedKernel kernel;
  return kernel;
}

}  // namespace espalier
