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

/// Gathers an option of each setting into lanes.
template <class Value, class Options, class Holder>
Value lanes(std::span<const TreeKernelNode> settings, double Holder::*field) {
  const auto get = [&](std::size_t s) { return std::get<Options>(settings[s].options).*field; };
  if constexpr (requires(Value v) { v.lane; }) {
    Value out;
    for (std::size_t s = 0; s < std::size(out.lane); ++s) {
      out.lane[s] = get(std::min(s, settings.size() - 1));
    }
    return out;
  } else {
    return Value(get(0));
  }
}

/// Computes blocks with one value type: base values first, then differences from them.
template <class Base, class Rows>
class PairComputer {
 public:
  using Value = typename Rows::Value;

  PairComputer(const RowIndex& rows, const Bags& columns, const ContentHashes& hashes, Base base,
               Rows values, const typename Rows::Index* prepared = nullptr)
      : base_(std::move(base)), pairs_(rows, columns, hashes, std::move(values), prepared) {}

  void start(Slice rows, Slice columns) {
    base_.start(rows, columns);
    pairs_.start(rows, columns);
  }
  void rows(Slice rows, BlockView<Value> out) {
    base_.set_rows(rows, out);
    pairs_.add_rows(rows, out);
  }
  std::size_t bytes(Slice rows, Slice columns, std::size_t enough) {
    return base_.bytes(rows, columns) + pairs_.bytes(rows, columns, enough);
  }

 private:
  Base base_;
  PairProduct<Rows> pairs_;
};

/// The same for kernels that ignore children.
template <class Base>
class SumComputer {
 public:
  explicit SumComputer(Base base) : base_(std::move(base)) {}
  void start(Slice rows, Slice columns) { base_.start(rows, columns); }
  void rows(Slice rows, BlockView<typename Base::Value> out) { base_.set_rows(rows, out); }
  std::size_t bytes(Slice rows, Slice columns, std::size_t) { return base_.bytes(rows, columns); }

 private:
  Base base_;
};

/// `Data` is shared by a leaf and its workers: it has the settings, and creates a computer for
/// given settings and a value type.
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
      computer_.rows(rows, outs[0]);
    } else {
      // One row at a time: its lanes fit the first-level cache.
      values_.resize(width_);
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        computer_.rows({i, i + 1}, {values_.data(), width_});
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
    scaled_->rows(rows, out);
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
class PairLeaf final : public Leaf {
 public:
  PairLeaf(const TreeLeafInput& input, std::span<const TreeKernelNode> settings)
      : data_(input, settings) {}

  std::unique_ptr<LeafWorker> worker() const override {
    if (data_.settings.size() == 1) return std::make_unique<PairWorker<Data, double>>(data_);
    return std::make_unique<PairWorker<Data, Lanes>>(data_);
  }

 private:
  Data data_;
};

}  // namespace espalier
