#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

/// A distinct subtree of an example and what all its occurrences together did for a score.
struct SubtreeShare {
  std::string tree;     ///< which one, if there are several
  std::string subtree;  ///< in brackets, cut
  std::uint64_t count = 0;
  double value = 0;

  void fields(auto&& field) const {
    field("tree", tree);
    field("subtree", subtree);
    field("count", count);
    field("value", value);
  }
};

/// A landmark and what being like it did for a score.
struct LandmarkShare {
  std::string text;
  std::vector<std::string> classes;
  double kernel = 0;  ///< how like it the example is
  double value = 0;   ///< its relevance

  void fields(auto&& field) const {
    field("text", text);
    field("classes", classes);
    field("kernel", kernel);
    field("value", value);
  }
};

/// A tree of an example, with what one occurrence of each distinct subtree did for the score.
struct ExplainedTree {
  std::string name;
  Forest forest;               ///< this tree alone
  std::vector<double> values;  ///< per vertex
};

/// A score taken apart: what all of these, and the bias, add up to.
struct ExplainedScore {
  std::string name;  ///< of the class; empty where there are none
  double score = 0;  ///< as predicted; of one-vs-one the sum of margins
  double bias = 0;
  std::vector<ExplainedTree> trees;
  std::vector<Named<double>> rest;     ///< kernels that are not sums over single subtrees
  std::vector<SubtreeShare> subtrees;  ///< the strongest first
  /// All of them, from for to against; of Nystroem models. These, what is like no landmark, and the
  /// bias add up to the score, too.
  std::vector<LandmarkShare> landmarks;
  double like_none = 0;
};

/// Why a model decided as it did about one example.
struct Explanation {
  std::uint64_t example = 0;  ///< counted from 1
  std::string text;           ///< the example as it is shown to people
  std::vector<std::string> labels;
  ExplainedScore decision;
  std::vector<ExplainedScore> rivals;  ///< the next best class, if there are classes
};

/// Takes the decision about an example apart. For kernel machines the contribution of each distinct
/// subtree is exact: they add up to the score. For models on landmarks relevance is propagated back
/// from the score to the landmarks, layer by layer; subtrees count as in the linear function that
/// the network is around this example. Kernels that are not sums over subtrees (products, powers,
/// rbf) count as a whole.
Explanation explain(const Model& model, const Dataset& data, std::size_t example,
                    const Context& context = {});

/// One line: "HUM (0.93), because it is like: ..; not LOC (-0.4), although it is like: ..".
std::string explanation_sentence(const Explanation& explanation);
/// Some lines, with the `top` strongest of each kind.
std::string explanation_text(const Explanation& explanation, std::size_t top = 3);
/// A page that needs no network: the trees with their nodes coloured by what they did.
std::string explanation_page(std::span<const Explanation> explanations, const std::string& title,
                             std::size_t top = 5);

}  // namespace espalier
