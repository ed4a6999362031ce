#pragma once

#include "fragments/terms.hpp"

namespace espalier {

/// Counts the examples of a data set that contain fragments.
class FragmentSupport {
 public:
  /// Linear in the data.
  FragmentSupport(const TermForest& forest, const Dataset& data, std::string member);

  /// Fills in the examples, occurrences and places of a fragment that is rooted at these vertices.
  /// Linear in its occurrences.
  void count(std::span<const VertexId> roots, WeightedFragment& fragment);

 private:
  struct InExample {
    std::uint32_t example;
    std::uint32_t count;
  };
  FragmentPlace place(std::uint32_t example, std::span<const VertexId> roots) const;

  const TermForest& forest_;
  const Dataset& data_;
  std::string member_;
  std::vector<std::uint64_t> begin_;  ///< per vertex, and one more: into examples_
  std::vector<InExample> examples_;
  std::vector<std::uint64_t> seen_in_;  ///< per example: the last fragment that it had
  std::uint64_t fragments_ = 0;
};

}  // namespace espalier
