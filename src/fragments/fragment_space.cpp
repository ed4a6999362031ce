#include "fragments/fragment_space.hpp"

#include <fmt/format.h>

namespace espalier {

namespace {

struct Refusal {
  std::string operator()(const SubtreeOptions&) const { return ""; }
  std::string operator()(const SubsetTreeOptions&) const { return ""; }
  std::string operator()(const SubpathOptions&) const { return ""; }
  std::string operator()(const RouteOptions&) const { return ""; }
  std::string operator()(const PartialTreeOptions& options) const {
    if (options.terminal == 1) return "";
    return "terminal is not 1, so that no single weight belongs to a fragment";
  }
  std::string operator()(const SmoothedTreeOptions&) const { return similar; }
  std::string operator()(const CompositionalTreeOptions&) const { return similar; }
  std::string operator()(const WordsOptions&) const { return "it compares words, not trees"; }
  std::string operator()(const DistributedTreeOptions&) const {
    return "its vectors do not say which fragments they are made of";
  }

  static constexpr const char* similar =
      "words match by similarity, so that a weight belongs to no single fragment";
};

}  // namespace

std::string no_fragments_because(const TreeKernelNode& kernel) {
  return std::visit(Refusal(), kernel.options);
}

std::unique_ptr<FragmentSpace> make_fragment_space(const Forest& forest,
                                                   const TreeKernelNode& kernel,
                                                   const KernelState& state) {
  LabelSelection selection(forest.labels(), kernel.labels);
  if (const auto* sst = std::get_if<SubsetTreeOptions>(&kernel.options)) {
    return subset_tree_space(forest, *sst, std::move(selection));
  }
  if (const auto* pt = std::get_if<PartialTreeOptions>(&kernel.options)) {
    return partial_tree_space(forest, *pt, std::move(selection));
  }
  if (const auto* paths = std::get_if<SubpathOptions>(&kernel.options)) {
    return path_space(forest, paths->decay, false, std::move(selection));
  }
  if (const auto* routes = std::get_if<RouteOptions>(&kernel.options)) {
    return path_space(forest, routes->decay, true, std::move(selection));
  }
  return subtree_space(forest, kernel, state);
}

}  // namespace espalier
