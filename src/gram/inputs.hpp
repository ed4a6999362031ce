#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "kernel/bags.hpp"
#include "kernel/feature_product.hpp"
#include "kernel/pair_product.hpp"

namespace espalier {

/// One of the two sides of a kernel: a data set, and the member of its pairs ("" for the example).
struct Side {
  const Dataset* data;
  std::string member;
  friend bool operator==(const Side&, const Side&) = default;
};

/// Two sides in one forest, ready for tree kernels.
struct TreeInput {
  std::shared_ptr<const Forest> forest;
  std::shared_ptr<const VertexFacts> facts;
  std::unique_ptr<const Bags> rows;
  std::unique_ptr<const Bags> own_columns;  ///< null when the sides are the same
  const Bags& columns() const { return own_columns ? *own_columns : *rows; }
};

/// Two sides with one numbering of features, ready for vector kernels.
struct VectorInput {
  Features rows;
  Features columns;
};

/// Makes the inputs of leaf kernels. Forests that several leaves need are made once.
class Inputs {
 public:
  /// The trees of that name on both sides, as `options` see them. The name "" is the only one there
  /// is. Throws Error with the names there are.
  TreeInput trees(const Side& rows, const Side& columns, const std::string& name,
                  const ForestOptions& options);
  /// All trees of an example together, as one bag.
  TreeInput all_trees(const Side& rows, const Side& columns, const ForestOptions& options);
  VectorInput vectors(const Side& rows, const Side& columns, const std::string& name);

  /// The names of the trees that either side has.
  static std::vector<std::string> tree_names(const Side& rows, const Side& columns);

 private:
  struct Merged {
    std::shared_ptr<const Forest> forest;
    std::shared_ptr<const VertexFacts> facts;
    std::vector<TreeId> row_offset;     ///< per name: added to the ids of the trees of the rows
    std::vector<TreeId> column_offset;  ///< and of the columns
  };
  using Key = std::tuple<const Dataset*, const Dataset*, std::vector<std::string>, bool, bool>;

  const Merged& merged(const Dataset& rows, const Dataset& columns,
                       const std::vector<std::string>& names, const ForestOptions& options);
  TreeInput bags(const Side& rows, const Side& columns, const std::vector<std::string>& names,
                 const ForestOptions& options);

  std::map<Key, Merged> merged_;
};

}  // namespace espalier
