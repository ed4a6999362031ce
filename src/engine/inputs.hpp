#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/bags.hpp"
#include "engine/feature_product.hpp"
#include "espalier/base/context.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

class DenseVectors;

/// One side of a kernel: a data set, the member of its pairs ("" for the example), and the tree for
/// kernels that name none ("" for the only one).
struct Side {
  const Dataset* data;
  std::string member;
  std::string tree = {};
  friend bool operator==(const Side&, const Side&) = default;
};

/// Two sides in one forest, ready for tree kernels.
struct TreeInput {
  std::shared_ptr<const Forest> forest;
  std::unique_ptr<const Bags> rows;
  std::unique_ptr<const Bags> own_columns;  ///< null when the sides are the same
  const Bags& columns() const { return own_columns ? *own_columns : *rows; }
};

/// The forest of that name, or null.
const Forest* find_forest(const Dataset& data, const std::string& name);

/// The trees of those names on one side, one bag per example. In `forest` the trees of each name
/// start at offsets[name].
std::unique_ptr<const Bags> make_bags(const Forest& forest, const Side& side,
                                      const std::vector<std::string>& names,
                                      std::span<const TreeId> offsets);

/// The vectors of that name, "" for the only one. Throws Error with the known names.
const VectorColumn& vector_column(const Side& side, const std::string& name);

/// `number` maps a feature to its id.
SparseMatrix make_features(const VectorColumn& column,
                           const std::function<std::uint32_t(LabelId)>& number);

/// The names of the two trees that a kernel with this name compares: the columns use the name of
/// the rows, unless they have their own.
std::pair<std::string, std::string> both_names(const Side& rows, const Side& columns,
                                               const std::string& name);

/// Builds the inputs of leaf kernels. Leaves share forests.
class Inputs {
 public:
  using Names = std::vector<std::string>;
  /// The trees of those names on each side, in a forest with these options; several trees of an
  /// example are one bag.
  TreeInput trees(const Side& rows, const Side& columns, const std::pair<Names, Names>& names,
                  const ForestOptions& options);
  /// Rows and columns, with one numbering of features.
  std::pair<SparseMatrix, SparseMatrix> vectors(const Side& rows, const Side& columns,
                                                const std::string& name);

  /// The tree names of a side. Throws Error if there are none.
  static std::vector<std::string> tree_names(const Side& side);
  /// The names of the trees that a kernel uses: all of them, or the one that the side or the kernel
  /// names.
  static std::vector<std::string> tree_names(const Side& side, const TreeKernelNode& kernel,
                                             bool all);

  std::vector<std::weak_ptr<const DenseVectors>> shared;  ///< in use by leaves

 private:
  /// The trees of some names of a data set.
  using Part = std::pair<const Dataset*, Names>;
  /// Two parts in one forest, and the offsets of their trees: of the first names, then of the
  /// others.
  using Merged = std::pair<std::shared_ptr<const Forest>, std::vector<TreeId>>;

  const Merged& merged(const Part& rows, const Part& columns, const ForestOptions& options);

  std::map<std::tuple<Part, Part, bool, bool>, Merged> merged_;
};

}  // namespace espalier
