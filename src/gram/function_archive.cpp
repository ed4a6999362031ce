#include "gram/function_archive.hpp"

#include <cmath>

namespace espalier {

void check_dense(const DenseFunction& function) {
  const auto* leaf = std::get_if<TreeKernelNode>(&function.kernel.what);
  if (leaf == nullptr || function.dim() == 0) throw Error("a kernel with vectors was expected");
  for (const std::vector<double>& weights : function.weights) {
    if (weights.size() != function.dim()) throw Error("a weight is missing");
  }
}

bool emplace_kind(FunctionNode& node, std::size_t kind) {
  const auto emplace = [&]<std::size_t... Kinds>(std::index_sequence<Kinds...>) {
    return ((kind == Kinds && (node.what.emplace<Kinds>(), true)) || ...);
  };
  return emplace(std::make_index_sequence<std::variant_size_v<decltype(node.what)>>());
}

void check_learned(const SubtreeWeights& learned) {
  Forest().add(learned.subtrees);
  const auto good = [](double weight) { return weight >= 0 && weight <= 1; };
  if (learned.weights.size() != learned.subtrees.size() ||
      !std::ranges::all_of(learned.weights, good)) {
    throw Error("learned weights do not fit their subtrees");
  }
}

void check_words(const WordVectors& words) {
  const std::size_t rows = words.found();
  const auto fits = [&](std::uint32_t row) { return row == none || row < rows; };
  const auto finite = [](float value) { return std::isfinite(value); };
  const bool good =
      words.row.size() == words.words.size() && words.values.size() == rows * words.dimension &&
      (words.mean.empty() || words.mean.size() == words.dimension) &&
      std::ranges::all_of(words.row, fits) && std::ranges::all_of(words.values, finite) &&
      std::ranges::all_of(words.mean, finite);
  if (!good) throw Error("word vectors are damaged");
}

std::size_t output_count(const FunctionNode& node) {
  const auto count = []<class Function>(const Function& function) {
    std::size_t most = 0;
    if constexpr (requires { function.weights; }) most = function.weights.size();
    if constexpr (requires { function.sums; }) most = function.sums.size();
    if constexpr (requires { function.coefficients; }) most = function.coefficients.size();
    if constexpr (requires { function.below; }) most = output_count(function.below[0]);
    if constexpr (requires { function.parts; }) {
      for (const FunctionNode& part : function.parts) most = std::max(most, output_count(part));
    }
    return most;
  };
  return std::visit(count, node.what);
}

}  // namespace espalier
