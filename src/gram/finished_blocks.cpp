#include "gram/finished_blocks.hpp"

#include <cstring>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// What the checkpoint has of a block.
struct FinishedBlock {
  std::uint64_t row, column;  ///< the first ones
  std::uint64_t checksum;
};

}  // namespace

template <class T>
FinishedBlocks<T>::FinishedBlocks(Checkpoint& file, const MatrixStorage<T>& storage,
                                  const GramShape& shape)
    : file_(file), storage_(storage), shape_(shape) {
  file.replay([&](std::uint64_t kernel, std::string_view bytes) {
    FinishedBlock block{};
    if (bytes.size() != sizeof block) throw Error("the list of finished blocks is damaged");
    std::memcpy(&block, bytes.data(), sizeof block);
    earlier_[{kernel, block.row, block.column}] = block.checksum;
  });
}

template <class T>
bool FinishedBlocks<T>::has(std::size_t first, std::size_t count, const Block& block) const {
  const auto found = earlier_.find({first, block.rows.begin, block.columns.begin});
  return found != earlier_.end() && found->second == checksum(first, count, block);
}

template <class T>
void FinishedBlocks<T>::add(std::size_t first, std::size_t count, const Block& block) const {
  const FinishedBlock piece{block.rows.begin, block.columns.begin, checksum(first, count, block)};
  file_.append(first, {reinterpret_cast<const char*>(&piece), sizeof piece});
}

template <class T>
std::uint64_t FinishedBlocks<T>::checksum(std::size_t first, std::size_t count,
                                          const Block& block) const {
  std::uint64_t sum = 0;
  std::vector<T> values;
  for (std::size_t k = first; k < first + count; ++k) {
    const auto add = [&](std::size_t row, Slice columns) {
      values.resize(columns.size());
      storage_.read(k, row, columns.begin, values);
      sum = hash::mix(sum ^ hash::bytes({reinterpret_cast<const char*>(values.data()),
                                         values.size() * sizeof(T)}),
                      hash::key1);
    };
    for (std::size_t i = block.rows.begin; i < block.rows.end; ++i) {
      add(i, shape_.computed(block.columns, i));
    }
    for (std::size_t j = block.columns.begin; j < block.columns.end; ++j) {
      add(j, shape_.mirrored(block.rows, j));
    }
  }
  return sum;
}

template class FinishedBlocks<float>;
template class FinishedBlocks<double>;

}  // namespace espalier
