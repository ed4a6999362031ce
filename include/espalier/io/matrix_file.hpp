#pragma once

#include <memory>
#include <string>

#include "espalier/base/matrix_storage.hpp"

namespace espalier {

class OutputFile;

/// Number and size of matrices.
struct MatrixShape {
  std::size_t matrices = 1;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Matrices in a NumPy file, which appears at its path when all of it has been written. T is float
/// or double.
template <class T>
class MatrixFile final : public MatrixStorage<T> {
 public:
  /// Reserves the space on the disk; throws Error saying how much that is if there is not enough.
  /// Until commit() the file is unnamed, or called `kept`: then it starts with what a file of that
  /// name has, and stays if this process ends.
  MatrixFile(const std::string& path, const MatrixShape& shape, const std::string& kept = {});
  ~MatrixFile() override;
  MatrixFile(const MatrixFile&) = delete;
  MatrixFile& operator=(const MatrixFile&) = delete;

  const MatrixShape& shape() const { return shape_; }
  void write(std::size_t matrix, std::size_t row, std::size_t column,
             std::span<const T> values) override;
  void read(std::size_t matrix, std::size_t row, std::size_t column,
            std::span<T> values) const override;

  /// Moves the file to its path.
  void commit();
  /// Deletes the file, named or not.
  void remove();

 private:
  std::size_t offset(std::size_t matrix, std::size_t row, std::size_t column) const;

  MatrixShape shape_;
  std::size_t begin_ = 0;  ///< of the values
  std::unique_ptr<OutputFile> file_;
};

}  // namespace espalier
