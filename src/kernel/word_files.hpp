#pragma once

#include <map>
#include <memory>
#include <string>

#include "espalier/data/word_vectors.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// Calls visit(options) for every kernel in the expression that compares words.
template <class Node, class Visit>
void for_each_similarity(Node& node, Visit&& visit) {
  if (auto* leaf = std::get_if<TreeKernelNode>(&node.what)) {
    const auto visit_one = [&]<class Options>(Options& options) {
      if constexpr (std::is_base_of_v<SimilarityOptions, std::remove_const_t<Options>>) {
        visit(options);
      }
    };
    std::visit(visit_one, leaf->options);
  } else if (auto* inner = std::get_if<CombinationNode>(&node.what)) {
    for (auto& operand : inner->operands) for_each_similarity(operand, visit);
  }
}

/// The word vectors that the kernels of an expression have loaded, by file.
using WordFiles = std::map<std::string, std::shared_ptr<const WordVectors>>;

inline WordFiles word_files(const KernelNode& node) {
  WordFiles out;
  for_each_similarity(node, [&](const SimilarityOptions& options) {
    if (options.words) out[options.vectors] = options.words;
  });
  return out;
}

inline void set_word_files(KernelNode& node, const WordFiles& files) {
  for_each_similarity(node, [&](SimilarityOptions& options) {
    if (const auto found = files.find(options.vectors); found != files.end()) {
      options.words = found->second;
    }
  });
}

}  // namespace espalier
