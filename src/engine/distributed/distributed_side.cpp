#include "engine/distributed/distributed_side.hpp"

namespace espalier {

DistributedSide::DistributedSide(const DistributedTreeOptions& options, Side side,
                                 std::vector<std::string> names)
    : embedding_(options),
      side_(std::move(side)),
      names_(std::move(names)),
      outside_(side_.data->size()) {}

ScaledRows DistributedSide::rows(Slice examples, const Context& context) const {
  Context quiet = context;
  quiet.progress = nullptr;
  const auto rows_of = [&](const std::string& name) {
    const TreeColumn& column = side_.data->trees(name, side_.member);
    ScaledRows out{Matrix<float>(examples.size(), options().dim), {}};
    out.exponents = embedding_.transform_scaled(
        side_.data->forests()[column.forest].value,
        std::span(column.trees).subspan(examples.begin, examples.size()), out.values.data(), quiet);
    return out;
  };
  ScaledRows out = rows_of(names_[0]);
  for (std::size_t n = 1; n < names_.size(); ++n) add(out, rows_of(names_[n]));
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (out.exponents[i] != 0) {
      outside_[examples.begin + i].store(true, std::memory_order_relaxed);
    }
  }
  return out;
}

void DistributedSide::keep(const Context& context) {
  // A quarter of the memory for each side, and half of it for the rest.
  if (bytes(side_.data->size()) > context.memory / 4) return;
  kept_ = rows({0, side_.data->size()}, context);
}

}  // namespace espalier
