#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "espalier/data/example.hpp"
#include "support/trees.hpp"

namespace espalier {

/// How GoogleTest shows an example in a failed comparison.
inline void PrintTo(const Example& example, std::ostream* out) {
  *out << "Example{";
  for (const Label& label : example.labels) {
    *out << " label '" << label.name << "'";
    if (label.value) *out << ":" << *label.value;
  }
  for (const auto& [name, text] : example.texts) *out << " text '" << name << "'='" << text << "'";
  for (const auto& [name, vector] : example.vectors) {
    *out << (vector.dense ? " dense '" : " sparse '") << name << "'=";
    for (std::size_t i = 0; i < vector.values.size(); ++i) {
      *out << " " << (vector.dense ? "" : "'" + vector.features[i] + "':") << vector.values[i];
    }
  }
  for (const auto& [name, tree] : example.trees) {
    *out << " tree '" << name << "'=";
    PrintTo(tree, out);
  }
  for (const Example& member : example.members) {
    *out << " member ";
    PrintTo(member, out);
  }
  *out << " }";
}

}  // namespace espalier

namespace espalier::test {

inline Label of_class(std::string name) { return {std::move(name), {}}; }
inline Label number(double value, std::string name = "") { return {std::move(name), value}; }

inline FeatureVector sparse(std::initializer_list<std::pair<std::string, double>> entries) {
  FeatureVector out;
  for (const auto& [feature, value] : entries) {
    out.features.push_back(feature);
    out.values.push_back(value);
  }
  return out;
}

inline FeatureVector dense(std::vector<double> values) {
  FeatureVector out;
  out.dense = true;
  out.values = std::move(values);
  return out;
}

/// Puts an example together: ExampleOf().label("A").tree("t", "(S(NP))").
class ExampleOf : public Example {
 public:
  ExampleOf() = default;
  explicit ExampleOf(Example example) : Example(std::move(example)) {}

  ExampleOf& label(std::string name) { return labels.push_back(of_class(std::move(name))), *this; }
  ExampleOf& label(Label label) { return labels.push_back(std::move(label)), *this; }
  ExampleOf& tree(std::string name, std::string_view brackets) {
    return tree(std::move(name), test::tree(brackets));
  }
  ExampleOf& tree(std::string name, Tree tree) {
    return trees.push_back({std::move(name), std::move(tree)}), *this;
  }
  ExampleOf& vector(std::string name, FeatureVector vector) {
    return vectors.push_back({std::move(name), std::move(vector)}), *this;
  }
  ExampleOf& text(std::string name, std::string text) {
    return texts.push_back({std::move(name), std::move(text)}), *this;
  }
  ExampleOf& pair(Example a, Example b) {
    members = {std::move(a), std::move(b)};
    return *this;
  }
};

}  // namespace espalier::test
