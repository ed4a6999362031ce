#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/forest/tree.hpp"

namespace espalier {

/// A class label, or a number to be predicted, or a number with a name ("score:3.5").
struct Label {
  std::string name;             ///< may be empty when there is a value
  std::optional<double> value;  ///< always finite
  friend bool operator==(const Label&, const Label&) = default;
};

/// A feature vector as read from a file. Sparse vectors name each feature; dense ones are plain
/// sequences of numbers.
struct FeatureVector {
  bool dense = false;
  std::vector<std::string> features;  ///< empty when dense
  std::vector<double> values;         ///< always finite
  friend bool operator==(const FeatureVector&, const FeatureVector&) = default;
};

template <class T>
struct Named {
  std::string name;
  T value;
  friend bool operator==(const Named&, const Named&) = default;
};

/// One example, as exchanged with readers and writers: labels and any number of named trees,
/// vectors and texts. The two members of a pair are examples themselves.
struct Example {
  std::vector<Label> labels;
  std::vector<Named<Tree>> trees;
  std::vector<Named<FeatureVector>> vectors;
  std::vector<Named<std::string>> texts;
  std::vector<Example> members;  ///< none, or two: "a" and "b"

  friend bool operator==(const Example&, const Example&) = default;
};

/// The example without labels and texts: what a kernel can see of it.
Example kernel_input(Example example);

/// A one-line description for people: the first text other than "id", otherwise the leaves of the
/// first tree; truncated.
std::string shown_text(const Example& example);

/// The names of a pair's two members, in order.
inline constexpr const char* member_names[] = {"a", "b"};

}  // namespace espalier
