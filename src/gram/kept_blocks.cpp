#include "gram/kept_blocks.hpp"

#include <cstring>
#include <string>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// Precedes the values.
struct Place {
  std::uint64_t row_begin, row_end, column_begin, column_end;
};

}  // namespace

template <class T>
KeptBlocks<T>::KeptBlocks(Checkpoint& file, const Outputs<T>& outputs)
    : file_(file), outputs_(outputs) {
  file.replay([&](std::uint64_t kernel, std::string_view bytes) { restore(kernel, bytes); });
}

template <class T>
void KeptBlocks<T>::restore(std::uint64_t kernel, std::string_view bytes) {
  Place place{};
  const auto fail = [] { throw Error("the part of a matrix that was kept does not fit it"); };
  if (bytes.size() < sizeof place) fail();
  std::memcpy(&place, bytes.data(), sizeof place);
  bytes.remove_prefix(sizeof place);
  const Block block{{place.row_begin, place.row_end}, {place.column_begin, place.column_end}};
  if (block.rows.begin >= block.rows.end || block.rows.end > outputs_.rows ||
      block.columns.begin >= block.columns.end || block.columns.end > outputs_.columns) {
    fail();
  }
  done_.insert({kernel, block.rows.begin, block.columns.begin});
  for (; !bytes.empty(); ++kernel) {
    if (kernel >= outputs_.matrices.size()) fail();
    T* const out = outputs_.matrices[kernel];
    for (std::size_t i = block.rows.begin; i < block.rows.end; ++i) {
      const Slice columns = outputs_.computed(block.columns, i);
      if (bytes.size() < columns.size() * sizeof(T)) fail();
      T* const row = out + i * outputs_.columns;
      std::memcpy(row + columns.begin, bytes.data(), columns.size() * sizeof(T));
      bytes.remove_prefix(columns.size() * sizeof(T));
      if (!outputs_.symmetric) continue;
      for (std::size_t j = columns.begin; j < columns.end; ++j) {
        out[j * outputs_.columns + i] = row[j];
      }
    }
  }
}

template <class T>
void KeptBlocks<T>::keep(std::size_t kernel, std::size_t kernels, const Block& block) const {
  const Place place{block.rows.begin, block.rows.end, block.columns.begin, block.columns.end};
  std::string bytes(reinterpret_cast<const char*>(&place), sizeof place);
  for (std::size_t k = kernel; k < kernel + kernels; ++k) {
    for (std::size_t i = block.rows.begin; i < block.rows.end; ++i) {
      const Slice columns = outputs_.computed(block.columns, i);
      const T* const row = outputs_.matrices[k] + i * outputs_.columns;
      bytes.append(reinterpret_cast<const char*>(row + columns.begin), columns.size() * sizeof(T));
    }
  }
  file_.append(kernel, bytes);
}

template class KeptBlocks<float>;
template class KeptBlocks<double>;

}  // namespace espalier
