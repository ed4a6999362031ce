#pragma once

#include <span>
#include <vector>

#include "espalier/base/checkpoint.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/base/matrix_storage.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

// All functions are exact, compute in double precision, and return the same bits for any number of
// threads and any memory budget. They throw Error naming the example if a value is not finite.

/// The Gram matrix of a data set, bitwise symmetric. Working memory stays within context.memory.
template <class T = double>
Matrix<T> gram(const FittedKernel& kernel, const Dataset& data, const Context& context = {});

/// The kernel matrix between the examples of `rows` and those of `columns`.
template <class T = double>
Matrix<T> gram(const FittedKernel& kernel, const Dataset& rows, const Dataset& columns,
               const Context& context = {});

/// The matrices of several kernels. Kernels that differ only in numbers share the pass over the
/// structure, so that a sweep over 8 decays costs far less than 8 matrices.
template <class T = double>
std::vector<Matrix<T>> gram(std::span<const FittedKernel> kernels, const Dataset& data,
                            const Context& context = {});
template <class T = double>
std::vector<Matrix<T>> gram(std::span<const FittedKernel> kernels, const Dataset& rows,
                            const Dataset& columns, const Context& context = {});

/// The same into memory of the caller: matrix k is outputs[k], row-major.
template <class T>
void gram_into(std::span<const FittedKernel> kernels, const Dataset& rows, const Dataset* columns,
               std::span<T* const> outputs, const Context& context = {});

/// The same into matrices that need not fit memory, such as a MatrixFile: working memory and
/// buffers stay within context.memory. With `part`, the finished blocks are listed there, and those
/// that it lists and the storage still has are not computed again: its request must identify
/// kernels, data and T (fingerprint.hpp).
template <class T>
void gram_into(std::span<const FittedKernel> kernels, const Dataset& rows, const Dataset* columns,
               MatrixStorage<T>& storage, const Context& context = {}, Checkpoint* part = nullptr);

/// The kernel of each example with itself.
std::vector<double> diagonal(const FittedKernel& kernel, const Dataset& data,
                             const Context& context = {});

/// The kernel of each example of `a` with the example of `b` at the same index.
std::vector<double> aligned(const FittedKernel& kernel, const Dataset& a, const Dataset& b,
                            const Context& context = {});

/// One row of gram(kernel, data), without the others.
std::vector<double> gram_row(const FittedKernel& kernel, const Dataset& data, std::size_t index,
                             const Context& context = {});

}  // namespace espalier
