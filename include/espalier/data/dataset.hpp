#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "espalier/base/parameter.hpp"
#include "espalier/data/example.hpp"
#include "espalier/forest/forest.hpp"

namespace espalier {

/// Identifies a representation within examples: its name, and the member of the pair that has it
/// ("" for the example itself, "a" or "b", "a/b" for a pair within a pair).
struct Slot {
  std::string member;
  std::string name;
  friend bool operator==(const Slot&, const Slot&) = default;
};

/// "name" or "member/name".
std::string to_string(const Slot& slot);

/// A label as stored in a data set.
struct LabelEntry {
  LabelId name;  ///< in Dataset::label_names()
  std::optional<double> value;
};

/// The trees of all examples in one slot. They are stored in the forest of that name, which the two
/// members of pairs share so that they can be compared with each other.
struct TreeColumn {
  Slot slot;
  std::size_t forest;         ///< which of Dataset::forests()
  std::vector<TreeId> trees;  ///< per example; none if it has no such tree
};

/// The vectors of all examples in one slot, in CSR layout.
struct VectorColumn {
  Slot slot;
  bool dense = false;
  std::vector<std::uint8_t> present;  ///< per example
  std::vector<std::uint64_t> begin;   ///< one more than examples
  /// Per value, ascending within a row. Empty if dense; then every present row has `dimension`
  /// values.
  std::vector<LabelId> features;
  std::vector<double> values;
  LabelTable feature_names;
  std::size_t dimension = 0;  ///< of dense vectors
};

struct TextColumn {
  Slot slot;
  std::vector<std::optional<std::string>> texts;  ///< per example
};

/// Finds the elements of a list that is only appended to by name, in constant time.
class NameIndex {
 public:
  /// The place of `name` among `size` elements, the i-th of which is named `name_of(i)`; `size` if
  /// it is not there. Elements appended since the last call are indexed first.
  template <class NameOf>
  std::size_t find(const std::string& name, std::size_t size, NameOf&& name_of) {
    for (; indexed_ < size; ++indexed_) places_.emplace(name_of(indexed_), indexed_);
    const auto found = places_.find(name);
    return found == places_.end() ? size : found->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t indexed_ = 0;
};

/// A data set stored in columns: labels, trees (one Forest per name), vectors, texts. Append-only.
/// Const members may be called from many threads concurrently.
class Dataset {
 public:
  /// Adds one example. Linear in its size. Throws Error, and adds nothing, if a value is not
  /// finite, or if a vector differs from earlier ones of that name in being sparse or dense or in
  /// dimension.
  void add(const Example& example);
  /// Adds all examples of another data set. Linear in their size. Throws Error as for one example.
  void append(const Dataset& other);
  /// The example as it was added, except that repeated features are summed, and that features,
  /// trees, vectors and texts are in the order in which their names first appeared in the data set.
  Example example(std::size_t index) const;
  /// The given examples, in this order. The result has all columns of this data set, even those
  /// that are empty for these examples, so that kernels that use them still work.
  Dataset select(std::span<const std::uint32_t> examples) const;
  /// Like select(), but shares the forests of this data set, which contain all of its trees.
  /// Linear in the number of examples, regardless of their trees. Copy on write: adding to one of
  /// the two data sets copies the forests first.
  Dataset view(std::span<const std::uint32_t> examples) const;
  /// The same examples with other labels, one list per example. Forests are shared as in view().
  /// Throws Error if a value is not finite.
  Dataset relabelled(std::span<const std::vector<Label>> labels) const;
  std::size_t size() const { return size_; }

  /// The parameters of read() that differed from their defaults; nothing if the examples were not
  /// read from a file. Copies, views and selections keep them.
  const std::optional<std::vector<Setting>>& reading() const { return reading_; }
  void set_reading(std::vector<Setting> settings) { reading_ = std::move(settings); }

  /// The data set as bytes, for load(). Linear.
  std::string save() const;
  /// An equal data set: the same examples and columns, with forests of its own. Throws Error if the
  /// bytes are damaged. Linear in their size.
  static Dataset load(std::string_view bytes);

  /// The labels of an example or of one of its members.
  std::span<const LabelEntry> labels(std::size_t index, std::string_view member = "") const;
  const LabelTable& label_names() const { return label_names_; }

  /// One forest for each tree name.
  std::span<const Named<Forest>> forests() const {
    return forests_ ? std::span<const Named<Forest>>(*forests_) : std::span<const Named<Forest>>();
  }
  std::span<const TreeColumn> trees() const { return trees_; }
  std::span<const VectorColumn> vectors() const { return vectors_; }
  std::span<const TextColumn> texts() const { return texts_; }

  /// The column of that name and member; an empty name selects the only one. If there is no such
  /// column, throws an Error that lists the available names.
  const TreeColumn& trees(std::string_view name, std::string_view member = "") const;

 private:
  struct LabelColumn {
    std::string member;
    std::vector<std::uint64_t> begin;
    std::vector<LabelEntry> entries;
  };

  void check(const Example& example, const std::string& member);
  void add(const Example& example, const std::string& member);
  void add(const FeatureVector& vector, VectorColumn& column) const;
  void pad();
  std::size_t forest_named(const std::string& name);
  std::vector<Named<Forest>>& own_forests();

  std::size_t size_ = 0;
  std::optional<std::vector<Setting>> reading_;
  LabelTable label_names_;
  std::vector<LabelColumn> labels_;
  std::shared_ptr<std::vector<Named<Forest>>> forests_;  ///< may be shared: see view()
  std::vector<TreeColumn> trees_;
  std::vector<VectorColumn> vectors_;
  std::vector<TextColumn> texts_;
  NameIndex forest_index_, tree_index_, vector_index_, text_index_;
};

/// The texts named "id" of the examples themselves; null if there are none.
const TextColumn* ids_of(const Dataset& data);

}  // namespace espalier
