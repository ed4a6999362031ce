#pragma once

#include <vector>

#include "espalier/fragments/fragment_features.hpp"
#include "fragments/feature_run.hpp"

namespace espalier {

struct FragmentFeatures::State {
  FeatureTerms terms;
  KernelState kernel;
  HashedFragmentOptions hashing{.max_size = 0, .hash_dim = 0};
  std::vector<Chosen> chosen;     ///< per column, by term; none if hashed
  std::vector<FragmentSet> sets;  ///< per term
  bool binary = false;

  bool hashed() const { return hashing.hash_dim > 0; }
  FeatureRun run(const Dataset& data, const Context& context) const {
    return {terms, sets, kernel, data, hashed(), context};
  }
  /// Gives columns to the fragments, each once.
  void choose(std::vector<Chosen> fragments);
  void hash();
  /// The columns of all terms, scaled and in ascending order.
  TermRun::Row values(const FeatureRun::Rows& rows) const;
  /// The row of an example with these values.
  TermRun::Row row(TermRun::Row values) const;
};

/// The columns of a data set whose trees a term uses, each with the vertices of its forest in the
/// forest of the term.
struct TermColumn {
  const TreeColumn& column;
  const Forest& forest;
  std::vector<VertexId> vertices;
};

std::vector<TermColumn> columns_of(const FeatureTerm& term, const TermRun& run,
                                   const Dataset& data);

}  // namespace espalier
