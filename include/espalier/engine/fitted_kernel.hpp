#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/data/word_vectors.hpp"
#include "espalier/forest/forest.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// Subtrees with learned weights. Subtrees that are listed only as descendants have weight 0.
struct SubtreeWeights {
  VertexList subtrees;
  std::vector<double> weights;
};

/// What kernels have learned or loaded. Copies share it, and are equal only if they do.
struct KernelState {
  /// Of st(weight=discriminance), by the text of the kernel: see learn_weights().
  std::map<std::string, std::shared_ptr<const SubtreeWeights>> weights;
  /// By file: see load_word_vectors().
  std::map<std::string, std::shared_ptr<const WordVectors>> words;

  friend bool operator==(const KernelState&, const KernelState&) = default;
};

/// A kernel, and what it has learned or loaded. Most kernels need nothing, and convert to this;
/// computing throws Error if something is missing. It never reads a file and never learns.
struct FittedKernel {
  Kernel kernel;
  KernelState state;

  // NOLINTNEXTLINE(google-explicit-constructor): a kernel is a fitted one that needs nothing
  FittedKernel(Kernel fitted, KernelState with = {})
      : kernel(std::move(fitted)), state(std::move(with)) {}

  const KernelNode& root() const { return kernel.root(); }
  std::string to_string() const { return kernel.to_string(); }
  friend bool operator==(const FittedKernel&, const FittedKernel&) = default;
};

/// parse_sweep() for functions that take fitted kernels.
inline std::vector<FittedKernel> sweep(std::string_view expression) {
  std::vector<FittedKernel> out;
  for (Kernel& kernel : parse_sweep(expression)) out.emplace_back(std::move(kernel));
  return out;
}

}  // namespace espalier
