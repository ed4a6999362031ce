#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/fragments/top_fragments.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

/// A distinct subtree of an example and what all of its occurrences contributed to a score.
struct SubtreeContribution {
  std::string tree;     ///< the name of its tree, if there are several
  std::string subtree;  ///< in brackets, truncated
  std::uint64_t count = 0;
  double value = 0;

  void fields(auto&& field) const {
    field("tree", tree);
    field("subtree", subtree);
    field("count", count);
    field("value", value);
  }
};

/// A fragment of an example and what it contributed to a score.
struct FragmentContribution {
  std::string kernel;    ///< one of fragment_terms(), if there are several
  std::string fragment;  ///< as to_string()
  double weight = 0;
  double value = 0;  ///< the contribution

  void fields(auto&& field) const {
    field("kernel", kernel);
    field("fragment", fragment);
    field("weight", weight);
    field("value", value);
  }
};

/// A landmark and what the similarity to it contributed to a score.
struct LandmarkContribution {
  std::uint64_t landmark = 0;  ///< its number in the model, from 1
  std::string text;
  std::vector<std::string> classes;
  double kernel = 0;  ///< between the example and the landmark
  double value = 0;   ///< its relevance

  void fields(auto&& field) const {
    field("landmark", landmark);
    field("text", text);
    field("classes", classes);
    field("kernel", kernel);
    field("value", value);
  }
};

/// A tree of an example, with the contribution of one occurrence of each distinct subtree.
struct ExplainedTree {
  std::string name;
  Forest forest;               ///< this tree alone
  std::vector<double> values;  ///< per vertex
};

/// A score as a sum of contributions and the bias.
struct ExplainedScore {
  std::string name;  ///< of the class; empty if there are no classes
  double score = 0;  ///< as predicted; for one-vs-one the sum of margins
  double bias = 0;
  std::vector<ExplainedTree> trees;
  std::vector<Named<double>> rest;            ///< kernels that are not sums over single subtrees
  std::vector<SubtreeContribution> subtrees;  ///< by descending absolute value
  /// Those that contributed most, by descending absolute value; empty if the kernel has none.
  std::vector<FragmentContribution> fragments;
  /// Nystroem models: all landmarks by descending contribution. These, `like_none` and the bias add
  /// up to the score, too.
  std::vector<LandmarkContribution> landmarks;
  double like_none = 0;  ///< from the part of the example that is similar to no landmark
};

/// Why a model made its decision about one example.
struct Explanation {
  std::uint64_t example = 0;  ///< counted from 1
  std::string text;           ///< example_text()
  std::optional<std::string> id = {};
  std::vector<std::string> labels;
  ExplainedScore decision;
  std::vector<ExplainedScore> rivals;  ///< the second-best class, if there are classes
};

/// Explains the decision about an example. For kernel models the contribution of each distinct
/// subtree, that of all fragments rooted there, is exact: contributions add up to the score. So are
/// those of the `fragments` fragments that contributed most: see top_contributions(). For models on
/// landmarks, relevance is propagated layer by layer from the score back to the landmarks; subtrees
/// contribute as in the linear function that the network computes near this example. Kernels that
/// are not sums over subtrees (products, powers, rbf) contribute as a whole.
Explanation explain(const Model& model, const Dataset& data, std::size_t example,
                    const Context& context = {}, std::size_t fragments = 12);
/// The same for several examples, in parallel. Each call reads all weights of the model, which
/// takes longer than an explanation: explain hundreds at a time.
std::vector<Explanation> explain(const Model& model, const Dataset& data,
                                 std::span<const std::uint32_t> examples,
                                 const Context& context = {}, std::size_t fragments = 12);

/// The same for the score of one class, "" if there are no classes, without fragments. Throws Error
/// if there is no such class.
ExplainedScore explain_score(const Model& model, const Dataset& data, std::size_t example,
                             const std::string& of_class, const Context& context = {});

/// The contributions of the nodes of a tree, in preorder: that of a node is that of all fragments
/// rooted there.
std::vector<double> node_contributions(const ExplainedTree& tree);

/// One line: "HUM (0.93), because it is like: ..; not LOC (-0.4), although it is like: ..".
std::string explanation_sentence(const Explanation& explanation);
/// Several lines, with the `top` largest contributions of each kind.
std::string explanation_text(const Explanation& explanation, std::size_t top = 3);
/// A self-contained HTML page: trees with their nodes coloured by contribution. It says how many
/// examples were omitted.
std::string explanation_page(std::span<const Explanation> explanations, const std::string& title,
                             std::size_t top = 5, std::size_t omitted = 0);

}  // namespace espalier
