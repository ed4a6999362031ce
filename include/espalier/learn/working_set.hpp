#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "espalier/base/checkpoint.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/learn/classifier.hpp"
#include "espalier/learn/platt.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier {

// Support vector machines without the Gram matrix, for any number of examples (Osuna, Freund &
// Girosi 1997). Each round chooses a working set of examples, optimises all binary problems on its
// Gram matrix, and updates the gradients of all examples in one pass. The optimum is that of the
// solver in svm.hpp. Memory is linear in the examples. Deterministic: the bits do not depend on
// threads, nor on interruptions.

/// The kernels of examples whose Gram matrix is not computed as a whole.
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  /// The number of examples.
  virtual std::size_t size() const = 0;
  /// The first example that is known to have the same kernels as this one. The variables of equal
  /// examples are optimised as one.
  virtual std::uint32_t representative(std::uint32_t example) const { return example; }
  /// The Gram matrix of some examples. Uses the memory of `out` if it is large enough.
  virtual void gram(std::span<const std::uint32_t> examples, Matrix<float>& out,
                    const Context& context) = 0;
  /// For each target (row) and output o (column), the sum over k of coefficients(o, k) times the
  /// kernel of examples[k] and the target, in double precision. Calls with the same targets as
  /// before may be faster.
  virtual Matrix<double> sums(std::span<const std::uint32_t> examples,
                              const Matrix<double>& coefficients,
                              std::span<const std::uint32_t> targets, const Context& context) = 0;
};

/// Where a solver stopped, as the start for another value of C.
struct WarmStart {
  double cost = 0;  ///< C; 0: nothing to start from
  // Per binary problem and example:
  std::vector<std::vector<double>> values;    ///< the coefficients
  std::vector<std::vector<double>> products;  ///< their sums of kernels
};

struct WorkingSetOptions {
  std::size_t size = 0;              ///< of the working set; 0: as memory allows
  Checkpoint* checkpoint = nullptr;  ///< keeps each round, so that training can be resumed
  /// Whether Context::cancelled ends training with what there is, which is not converged, instead
  /// of throwing Cancelled.
  bool keep_unfinished = false;
  WarmStart* warm_start = nullptr;  ///< read, then replaced; null: start at 0
};

/// Binary classifiers, and a sigmoid for each if they were calibrated.
struct CalibratedClassifiers {
  BinaryClassifiers classifiers;
  std::vector<Sigmoid> sigmoids;
};

/// train_classifier() and calibrate() on some examples of a source; labels[i] are the classes of
/// examples[i]. All binary problems, those of the calibration included, share the passes.
CalibratedClassifiers train_classifier(KernelSource& source,
                                       std::span<const std::uint32_t> examples,
                                       const ClassLists& labels, const ClassifierOptions& options,
                                       const std::optional<CalibrationOptions>& calibration,
                                       const WorkingSetOptions& working_set = {},
                                       const Context& context = {});

/// train_svr() on some examples of a source.
DecisionFunction train_svr(KernelSource& source, std::span<const std::uint32_t> examples,
                           std::span<const double> targets, const SvrOptions& options,
                           const WorkingSetOptions& working_set = {}, const Context& context = {});

/// train_one_class() on some examples of a source.
DecisionFunction train_one_class(KernelSource& source, std::span<const std::uint32_t> examples,
                                 const OneClassOptions& options,
                                 const WorkingSetOptions& working_set = {},
                                 const Context& context = {});

}  // namespace espalier
