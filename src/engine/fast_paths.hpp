#pragma once

namespace espalier {

/// The fast paths of the engine: each computes what a slower one would. Tests switch them off, one
/// at a time, in this struct or by ESPALIER_WITHOUT=name in the environment.
struct FastPaths {
  bool batches = true;         ///< RunJoins lists matches; off: RunByRun finds them for each vertex
  bool few_matches = true;     ///< up to four matches have formulas of their own
  bool few_columns = true;     ///< few columns with the same matches one by one
  bool tables = true;          ///< many matches by running sums; off: up to 2048 by pairs of them
  bool short_ranges = true;    ///< only the columns that match; off: whole groups
  bool kept_sums = true;       ///< a vertex of several rows is summed once
  bool single_columns = true;  ///< no sum where no column has two vertices of a group
  bool narrow_outputs = true;  ///< dense counts of the outputs of a model
  bool short_counts = true;    ///< pairs of nodes are counted in 16 bits

  struct Switch {
    const char* name;
    bool FastPaths::*path;
    bool same_bits;  ///< as without it; otherwise sums have another order
  };
  static const Switch switches[9];

  /// Those in use. To be changed only while nothing is computed.
  static FastPaths& used();
};

}  // namespace espalier
