#pragma once

#include <cstddef>

#include "espalier/base/sparse_matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/io/matrix_file.hpp"
#include "espalier/io/sink.hpp"

namespace espalier {

/// NumPy's format: one matrix as a 2-d array, several of one size as a 3-d array.
template <class T>
void write_npy(Sink& sink, const MatrixFile<T>& file);

/// The header of such a file, for callers that write the rows themselves. T is float or int8_t.
template <class T>
void write_npy_header(Sink& sink, std::size_t rows, std::size_t columns);

/// SciPy's format for sparse matrices (scipy.sparse.load_npz): CSR, stored without compression.
void write_npz(Sink& sink, const SparseMatrix& matrix);

/// "class column:value ..", columns counted from 1, as LIBLINEAR and scikit-learn's
/// load_svmlight_file read it. Classes as in write_libsvm().
void write_svmlight(Sink& sink, const SparseMatrix& matrix, const Dataset& rows);

/// One row per line, tab-separated; each number is the shortest text that reads back exactly.
template <class T>
void write_tsv(Sink& sink, const MatrixFile<T>& file);

/// LIBSVM's precomputed kernels: "class 0:i 1:K(i,1) 2:K(i,2) ..". Classes that are not numbers are
/// numbered from 1 in the order of `rows`. An example without a class gets 0; of several classes
/// the first one is written.
template <class T>
void write_libsvm(Sink& sink, const MatrixFile<T>& file, const Dataset& rows);

}  // namespace espalier
