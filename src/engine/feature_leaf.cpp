#include "engine/feature_leaf.hpp"

#include <optional>

#include "engine/feature_product.hpp"

namespace espalier {

namespace {

/// Computes the settings of a sweep one after the other: an entry costs so little here that lanes
/// are slower (measured: twice as slow).
class FeatureWorker final : public LeafWorker {
 public:
  explicit FeatureWorker(const FeatureKernels& kernels) : kernels_(kernels) {}

  void start(Slice, Slice columns) override { columns_.build(*kernels_.columns, columns); }

  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    for (std::size_t s = 0; s < outs.size(); ++s) set_rows(s, rows, outs[s]);
  }

  void scaled_block(std::size_t setting, Slice rows, Slice columns,
                    BlockView<Scaled> out) override {
    if (kernels_.scaled_weights == nullptr) {
      start(rows, columns);
      copy_to_scaled(rows, columns, out,
                     [&](BlockView<double> plain) { set_rows(setting, rows, plain); });
      return;
    }
    if (scaled_setting_ != setting) {
      scaled_weights_ = kernels_.scaled_weights(setting);
      scaled_setting_ = setting;
    }
    scaled_columns_.build(*kernels_.columns, columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      feature_product<Scaled>(*kernels_.rows, rows.begin + i, scaled_weights_, scaled_columns_,
                              out.row(i));
    }
  }

  std::size_t bytes(Slice, Slice columns, std::size_t) override {
    return FeatureColumns<double>::bytes(*kernels_.columns, columns);
  }

 private:
  void set_rows(std::size_t setting, Slice rows, BlockView<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* const row = out.row(i);
      feature_product<double>(*kernels_.rows, rows.begin + i, kernels_.weights[setting], columns_,
                              row);
      if (kernels_.finish) kernels_.finish(setting, rows.begin + i, columns_.slice(), row);
    }
  }

  const FeatureKernels& kernels_;
  FeatureColumns<double> columns_;             ///< of the block
  std::optional<std::size_t> scaled_setting_;  ///< of the last scaled block
  std::vector<Scaled> scaled_weights_;
  FeatureColumns<double> scaled_columns_;
};

}  // namespace

Leaf make_feature_leaf(FeatureKernels kernels) {
  const auto shared = std::make_shared<const FeatureKernels>(std::move(kernels));
  return {[shared] { return std::make_unique<FeatureWorker>(*shared); }};
}

}  // namespace espalier
