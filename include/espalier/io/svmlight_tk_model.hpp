#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"

namespace espalier {

/// The content of a model file of SVM-light-TK or SVM-light:
///     f(x) = sum of coefficients[i] * K(support[i], x) - threshold
struct SvmLightTkModel {
  std::string version;  ///< what follows "SVM-light Version ", such as "V5.01-TK-1.5"
  /// K as a kernel expression (docs/kernels.md). Trees and vectors are named by their position,
  /// "0", "1", .., as when reading data files of SVM-light-TK.
  std::string kernel;
  Dataset support;                   ///< the support vectors, without labels
  std::vector<double> coefficients;  ///< alpha * y of each; in classification y is its sign
  double threshold = 0;              ///< called b in the file
  std::uint64_t highest_feature = 0;
  std::uint64_t training_examples = 0;
};

/// Reads a model file, plain or gzip ("-": standard input). Throws InputError with line and column
/// if the file is damaged or not such a model, or if it uses a kernel that no expression can
/// represent; the message then names the parameter. Linear in the size of the file.
SvmLightTkModel read_svmlight_tk_model(const std::string& path);

}  // namespace espalier
