#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/evaluate/outcomes.hpp"

namespace espalier::cli {

/// What `espalier predict` wrote: TSV with a header.
struct PredictionFile {
  std::string path;
  bool regression = false;
  std::vector<std::string> ids;     ///< per example, or empty
  std::vector<std::string> labels;  ///< per example: class, classes with blanks between, or number
  std::vector<std::string> classes;
  std::vector<std::vector<double>> scores;  ///< per example and class

  /// Throws Error if the file is none that `espalier predict` writes.
  explicit PredictionFile(const std::string& path);
};

/// Predictions beside the labels of the data. Throws Error if there is not one for each example, or
/// if ids differ.
Outcomes outcomes_of(const PredictionFile& predictions, const Dataset& truth);

}  // namespace espalier::cli
