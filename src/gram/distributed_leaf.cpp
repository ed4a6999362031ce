#include "gram/distributed_leaf.hpp"

#include "kernel/dense_product.hpp"

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

  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    dense_product(rows_.rows(rows), columns_.rows(block_columns_), outs[0]);
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

class DistributedLeaf final : public Leaf {
 public:
  DistributedLeaf(const DistributedSide& rows, const DistributedSide& columns,
                  const Context& context)
      : rows_(rows), columns_(columns) {
    context_.threads = 1;
    context_.memory = context.memory / thread_count(context) / 2;
  }
  std::unique_ptr<LeafWorker> worker() const override {
    return std::make_unique<DistributedWorker>(rows_, columns_, context_);
  }

 private:
  const DistributedSide& rows_;
  const DistributedSide& columns_;
  Context context_;  ///< of one worker
};

}  // namespace

std::unique_ptr<Leaf> make_distributed_leaf(const DistributedSide& rows,
                                            const DistributedSide& columns,
                                            const Context& context) {
  return std::make_unique<DistributedLeaf>(rows, columns, context);
}

}  // namespace espalier
