#pragma once

#include <map>
#include <memory>
#include <string>

#include "espalier/engine/discriminance.hpp"

namespace espalier {

/// The learned weights of the kernels of an expression, by the text of each kernel.
using LearnedWeights = std::map<std::string, std::shared_ptr<const SubtreeWeights>>;
LearnedWeights learned_weights(const KernelNode& node);
void set_learned_weights(KernelNode& node, const LearnedWeights& weights);

/// The learned weight of each vertex of the forest.
std::vector<double> weights_in(const Forest& forest, const SubtreeWeights& learned);

}  // namespace espalier
