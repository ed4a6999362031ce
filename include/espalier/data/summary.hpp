#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"

namespace espalier {

// Each struct lists its members in fields(). The JSON of the command line and the dicts of Python
// are generated from these lists, so that both agree.

/// Descriptive statistics. Quantiles are values that occur in the data (nearest rank).
struct Distribution {
  double min = 0;
  double median = 0;
  double mean = 0;
  double p95 = 0;
  double max = 0;

  /// Calls `field(name, member)` for each member.
  void fields(auto&& field) const {
    field("min", min);
    field("median", median);
    field("mean", mean);
    field("p95", p95);
    field("max", max);
  }
};

struct ClassSummary {
  std::string name;
  std::uint64_t examples = 0;

  void fields(auto&& field) const {
    field("name", name);
    field("examples", examples);
  }
};

/// Numeric labels with one name, which may be empty.
struct NumberSummary {
  std::string name;
  Distribution values;

  void fields(auto&& field) const {
    field("name", name);
    field("values", values);
  }
};

/// Statistics of a forest. `size`, `height` and `outdegree` (the largest number of children of a
/// node) are per tree; empty trees count as 0.
struct ForestSummary {
  std::string name;
  std::uint64_t trees = 0;
  std::uint64_t nodes = 0;
  std::uint64_t distinct_subtrees = 0;
  std::uint64_t distinct_productions = 0;
  std::uint64_t distinct_labels = 0;
  double compression = 0;  ///< nodes per distinct subtree
  Distribution size;
  Distribution height;
  Distribution outdegree;

  void fields(auto&& field) const {
    field("name", name);
    field("trees", trees);
    field("nodes", nodes);
    field("distinct_subtrees", distinct_subtrees);
    field("compression", compression);
    field("distinct_productions", distinct_productions);
    field("distinct_labels", distinct_labels);
    field("size", size);
    field("height", height);
    field("outdegree", outdegree);
  }
};

struct VectorSummary {
  std::string name;  ///< prefixed by the member, for pairs
  bool dense = false;
  std::uint64_t vectors = 0;
  std::uint64_t features = 0;  ///< distinct ones, or the dimension
  std::uint64_t values = 0;

  void fields(auto&& field) const {
    field("name", name);
    field("dense", dense);
    field("vectors", vectors);
    field("features", features);
    field("values", values);
  }
};

struct Summary {
  std::uint64_t examples = 0;
  bool pairs = false;
  std::uint64_t unlabelled = 0;       ///< examples without any label
  std::vector<ClassSummary> classes;  ///< most frequent first
  std::vector<NumberSummary> numbers;
  std::vector<ForestSummary> trees;
  std::vector<VectorSummary> vectors;
  std::vector<std::string> texts;

  void fields(auto&& field) const {
    field("examples", examples);
    field("pairs", pairs);
    field("classes", classes);
    field("numbers", numbers);
    field("unlabelled", unlabelled);
    field("trees", trees);
    field("vectors", vectors);
    field("texts", texts);
  }
};

/// Statistics of `values`, which are reordered.
Distribution describe(std::vector<double>& values);

/// Linear in the size of the data set, apart from sorting.
Summary summarize(const Dataset& data);

}  // namespace espalier
