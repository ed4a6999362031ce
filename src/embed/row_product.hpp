#pragma once

#include "engine/dense_product.hpp"
#include "espalier/base/context.hpp"

namespace espalier {

/// Writes the dot products of rows and columns to `out`, row-major: summed in double precision, in
/// parallel, with the same bits for any number of threads. For float and double.
template <class T>
void row_product(const DenseRows<double>& rows, const DenseRows<double>& columns, T* out,
                 const Context& context);

}  // namespace espalier
