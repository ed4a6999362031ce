#pragma once

#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

class PartFile;

// Everything here is exact, in double precision inside, and gives the same bits for any number of
// threads and any memory budget. A value that is not finite is an Error that names the example.

/// All kernel values between the examples of one data set: symmetric to the bit.
/// Working space is kept within context.memory.
template <class T = double>
Matrix<T> gram(const Kernel& kernel, const Dataset& data, const Context& context = {});

/// The values between each example of `rows` and each of `columns`.
template <class T = double>
Matrix<T> gram(const Kernel& kernel, const Dataset& rows, const Dataset& columns,
               const Context& context = {});

/// The matrices of several kernels at once. Kernels that differ in numbers only share the pass over
/// the structure, so that a sweep over 8 decays costs far less than 8 matrices.
template <class T = double>
std::vector<Matrix<T>> gram(std::span<const Kernel> kernels, const Dataset& data,
                            const Context& context = {});
template <class T = double>
std::vector<Matrix<T>> gram(std::span<const Kernel> kernels, const Dataset& rows,
                            const Dataset& columns, const Context& context = {});

/// The same, into memory of the caller's: matrix k is outputs[k], row by row. With `part`, blocks
/// that are finished are kept there, and those that it has already are not computed again: its
/// request must tell kernels, data and T from others (fingerprint.hpp).
template <class T>
void gram_into(std::span<const Kernel> kernels, const Dataset& rows, const Dataset* columns,
               std::span<T* const> outputs, const Context& context = {}, PartFile* part = nullptr);

/// The kernel of each example with itself.
std::vector<double> diagonal(const Kernel& kernel, const Dataset& data,
                             const Context& context = {});

/// The kernel of each example of `a` with the example of `b` in the same place.
std::vector<double> aligned(const Kernel& kernel, const Dataset& a, const Dataset& b,
                            const Context& context = {});

/// One row of gram(kernel, data), without the others.
std::vector<double> gram_row(const Kernel& kernel, const Dataset& data, std::size_t index,
                             const Context& context = {});

}  // namespace espalier
