#include "engine/dense_vectors.hpp"

#include <algorithm>

namespace espalier {

void DenseVectors::for_all(const Context& context,
                           const std::function<void(Slice, const Matrix<float>&)>& use) const {
  const std::size_t together = std::max<std::size_t>(1, context.memory / 4 / bytes(1));
  for (std::size_t begin = 0; begin < examples(); begin += together) {
    const Slice slice{begin, std::min(examples(), begin + together)};
    use(slice, rows(slice, context));
  }
}

}  // namespace espalier
