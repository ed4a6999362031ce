#include "espalier/io/matrix.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <bit>

#include "espalier/base/number.hpp"
#include "io/npy.hpp"
#include "io/zip.hpp"

namespace espalier {

namespace {

/// The class of an example as a number: its value, its name if that is a number, or its index among
/// the names.
std::string class_number(const Dataset& data, std::size_t example) {
  const auto labels = data.labels(example);
  if (labels.empty()) return "0";
  if (labels[0].value) return print_number(*labels[0].value);
  const std::string_view name = data.label_names().text(labels[0].name);
  if (parse_number(name)) return std::string(name);
  return std::to_string(labels[0].name + 1);
}

static_assert(std::endian::native == std::endian::little, "arrays are written little-endian");

/// The NumPy name of the type.
template <class T>
std::string npy_type() {
  return std::is_integral_v<T> ? fmt::format("|i{}", sizeof(T)) : fmt::format("<f{}", sizeof(T));
}

/// The header of a NumPy file.
std::string npy_header(std::string_view type, std::string_view shape) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  // The data starts at a multiple of 64 bytes: 10 bytes precede the header, a newline ends it.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(header.size() & 0xFF);
  preamble += static_cast<char>(header.size() >> 8);
  return preamble + header;
}

/// Calls use(i, values) for the rows of all matrices.
template <class T, class Use>
void for_each_row(const MatrixFile<T>& file, Use&& use) {
  const auto [matrices, rows, columns] = file.shape();
  std::vector<T> row(columns);
  for (std::size_t k = 0; k < matrices; ++k) {
    for (std::size_t i = 0; i < rows; ++i) {
      file.read(k, i, 0, row);
      use(i, std::span<const T>(row));
    }
  }
}

}  // namespace

template <class T>
std::string npy_header(const MatrixShape& shape) {
  const std::string size = fmt::format("{}, {}", shape.rows, shape.columns);
  return npy_header(npy_type<T>(), shape.matrices == 1
                                       ? fmt::format("({})", size)
                                       : fmt::format("({}, {})", shape.matrices, size));
}

template <class T>
void write_npy(Sink& sink, const MatrixFile<T>& file) {
  sink.write(npy_header<T>(file.shape()));
  for_each_row(file, [&](std::size_t, std::span<const T> row) {
    sink.write({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
  });
}

template <class T>
void write_npy_header(Sink& sink, std::size_t rows, std::size_t columns) {
  sink.write(npy_header<T>({.rows = rows, .columns = columns}));
}

void write_npz(Sink& sink, const SparseMatrix& matrix) {
  const auto array = [](const char* type, const auto& values) {
    return npy_header(type, fmt::format("({},)", values.size())) +
           std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  };
  const std::uint64_t shape[] = {matrix.rows(), matrix.columns()};
  ZipWriter zip(sink);
  zip.add("indices.npy", array("<i4", matrix.all_columns()));
  zip.add("indptr.npy", array("<i8", matrix.begins()));
  zip.add("format.npy", npy_header("|S3", "()") + "csr");
  zip.add("shape.npy", array("<i8", std::span(shape)));
  zip.add("data.npy", array("<f8", matrix.all_values()));
  zip.finish();
}

void write_svmlight(Sink& sink, const SparseMatrix& matrix, const Dataset& rows) {
  std::string line;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    line = class_number(rows, i);
    const auto [columns, values] = matrix.row(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      fmt::format_to(std::back_inserter(line), FMT_COMPILE(" {}:{}"), columns[k] + 1, values[k]);
    }
    line += '\n';
    sink.write(line);
  }
}

template <class T>
void write_tsv(Sink& sink, const MatrixFile<T>& file) {
  std::string line;
  for_each_row(file, [&](std::size_t, std::span<const T> row) {
    line.clear();
    for (const T value : row) {
      if (!line.empty()) line += '\t';
      fmt::format_to(std::back_inserter(line), FMT_COMPILE("{}"), value);
    }
    line += '\n';
    sink.write(line);
  });
}

template <class T>
void write_libsvm(Sink& sink, const MatrixFile<T>& file, const Dataset& rows) {
  std::string line;
  for_each_row(file, [&](std::size_t i, std::span<const T> row) {
    line = fmt::format("{} 0:{}", class_number(rows, i), i + 1);
    std::size_t column = 0;
    for (const T value : row) {
      fmt::format_to(std::back_inserter(line), FMT_COMPILE(" {}:{}"), ++column, value);
    }
    line += '\n';
    sink.write(line);
  });
}

template std::string npy_header<std::int8_t>(const MatrixShape&);
template void write_npy_header<float>(Sink&, std::size_t, std::size_t);
template void write_npy_header<std::int8_t>(Sink&, std::size_t, std::size_t);

#define ESPALIER_INSTANTIATE(T)                            \
  template std::string npy_header<T>(const MatrixShape&);  \
  template void write_npy<T>(Sink&, const MatrixFile<T>&); \
  template void write_tsv<T>(Sink&, const MatrixFile<T>&); \
  template void write_libsvm<T>(Sink&, const MatrixFile<T>&, const Dataset&);
ESPALIER_INSTANTIATE(float)
ESPALIER_INSTANTIATE(double)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
