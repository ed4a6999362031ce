#pragma once

#include <optional>
#include <string>

#include "espalier/model/model.hpp"

namespace espalier::cli {

/// How predictions are written: TSV with a header, or JSON lines.
class PredictionRows {
 public:
  /// `errors`: whether rows of examples that could not be read are among them.
  PredictionRows(const Model& model, bool probabilities, bool errors, bool json)
      : model_(model), probabilities_(probabilities), errors_(errors), json_(json) {}

  /// The header, which has a column of ids if the first examples have them; empty for JSON.
  std::string head(bool ids);
  /// The line of an example.
  std::string row(const Predictions& predictions, std::size_t i,
                  const std::optional<std::string>& id);
  /// The line of an example that could not be read.
  std::string error_row(const std::string& error) const;

 private:
  std::string json_row(const Predictions& predictions, std::size_t i,
                       const std::optional<std::string>& id) const;

  const Model& model_;
  bool probabilities_;
  bool errors_;
  bool json_;
  bool ids_ = false;
  bool told_ = false;  ///< of ids that come too late for a column
};

}  // namespace espalier::cli
