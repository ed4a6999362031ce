#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/transpose.hpp"
#include "engine/leaf.hpp"
#include "engine/pair_product.hpp"

namespace espalier {

/// A worker of a kernel on pairs of vertices. `Data` is shared by all workers of a leaf: it has the
/// settings, and creates a computer for given settings and a value type: a PairProduct, or sums
/// alone where children do not count.
template <class Data, class Value>
class PairWorker final : public LeafWorker {
 public:
  explicit PairWorker(const Data& data)
      : data_(data), computer_(data.template computer<Value>(data.settings)) {}

  void start(Slice rows, Slice columns) override {
    width_ = columns.size();
    computer_.start(rows, columns);
  }

  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    if constexpr (std::is_same_v<Value, double>) {
      computer_.set_rows(rows, outs[0]);
    } else {
      // One row at a time: its lanes fit the first-level cache.
      values_.resize(width_);
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        computer_.set_rows({i, i + 1}, {values_.data(), width_});
        split_lanes(values_.data(), width_, outs, i - rows.begin);
      }
    }
  }

  void scaled_block(std::size_t setting, Slice rows, Slice columns,
                    BlockView<Scaled> out) override {
    if (!scaled_ || scaled_setting_ != setting) {
      scaled_.emplace(
          data_.template computer<Scaled>(std::span(data_.settings).subspan(setting, 1)));
      scaled_setting_ = setting;
    }
    scaled_->start(rows, columns);
    scaled_->set_rows(rows, out);
  }

  std::size_t bytes(Slice rows, Slice columns, std::size_t enough) override {
    const std::size_t lanes = std::is_same_v<Value, double> ? 0 : sizeof(Value);
    return computer_.bytes(rows, columns, enough) + lanes * columns.size();
  }

 private:
  /// Lane s of each element goes to outs[s].
  static void split_lanes(const Value* from, std::size_t size,
                          std::span<const BlockView<double>> outs, std::size_t row) {
    double* to[most_lanes];
    for (std::size_t s = 0; s < outs.size(); ++s) to[s] = outs[s].row(row);
    transpose(from->lane, std::size(from->lane), size, to, outs.size());
  }

  template <class Number>
  using Computer = decltype(std::declval<const Data&>().template computer<Number>(
      std::span<const TreeKernelNode>()));

  const Data& data_;
  Computer<Value> computer_;
  std::size_t width_ = 0;                   ///< number of columns of the block
  std::optional<Computer<Scaled>> scaled_;  ///< for scaled_setting_, created on demand
  std::size_t scaled_setting_ = 0;
  std::vector<Value> values_;  ///< of a row
};

template <class Data>
Leaf make_pair_leaf(const TreeLeafInput& input, std::span<const TreeKernelNode> settings) {
  const auto data = std::make_shared<const Data>(input, settings);
  return {[data]() -> std::unique_ptr<LeafWorker> {
    if (data->settings.size() == 1) return std::make_unique<PairWorker<Data, double>>(*data);
    return std::make_unique<PairWorker<Data, Lanes>>(*data);
  }};
}

}  // namespace espalier
