#pragma once

#include <span>
#include <string>

#include "espalier/model/validation.hpp"
#include "table.hpp"

namespace espalier::cli {

// What `espalier cv` prints about kernels that were validated on the same splits.

/// A row for each kernel and metric: the mean over the splits with its interval, and where there
/// are several kernels the difference from the first one with its tests.
Table results_table(std::span<const FittedKernel> kernels,
                    std::span<const ValidationResult> results, std::span<const Metric> metrics);

/// What the columns of the table mean.
std::string explanation_of_results(const ValidationResult& result, bool compared);

/// For kernels with learned weights, how their means compare with the best of the others.
std::string relative_text(std::span<const FittedKernel> kernels,
                          std::span<const ValidationResult> results,
                          std::span<const Metric> metrics);

std::string results_json(std::span<const FittedKernel> kernels,
                         std::span<const ValidationResult> results,
                         std::span<const Metric> metrics);

}  // namespace espalier::cli
