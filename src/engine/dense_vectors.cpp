#include "engine/dense_vectors.hpp"

#include <algorithm>

namespace espalier {

void add(ScaledRows& to, const ScaledRows& more) {
  for (std::size_t i = 0; i < to.exponents.size(); ++i) {
    // A vector of zeros has the exponent 0, which must not count.
    const auto is_zero = [](float x) { return x == 0; };
    if (std::ranges::all_of(more.values.row(i), is_zero)) continue;
    const int own =
        std::ranges::all_of(to.values.row(i), is_zero) ? more.exponents[i] : to.exponents[i];
    const int larger = std::max(own, more.exponents[i]);
    const auto a = static_cast<float>(std::ldexp(1.0, own - larger));
    const auto b = static_cast<float>(std::ldexp(1.0, more.exponents[i] - larger));
    std::ranges::transform(to.values.row(i), more.values.row(i), to.values.row(i).begin(),
                           [=](float x, float y) { return x * a + y * b; });
    to.exponents[i] = larger;
  }
}

void DenseVectors::for_all(const Context& context,
                           const std::function<void(Slice, const ScaledRows&)>& use) const {
  const std::size_t together = std::max<std::size_t>(1, context.memory / 4 / bytes(1));
  for (std::size_t begin = 0; begin < examples(); begin += together) {
    const Slice slice{begin, std::min(examples(), begin + together)};
    use(slice, rows(slice, context));
  }
}

}  // namespace espalier
