#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "espalier/base/parameter.hpp"

namespace espalier {

/// How the subtree kernel weights a subtree.
enum class SubtreeWeight { height, size, productions, uniform, discriminance };
constexpr std::array<const char*, 5> names_of(SubtreeWeight) {
  return {"height", "size", "productions", "uniform", "discriminance"};
}
/// How the weight of a subtree grows with its discriminance, from 0 to 1.
enum class WeightShape { identity, smoothstep, smoothstep2, threshold };
constexpr std::array<const char*, 4> names_of(WeightShape) {
  return {"identity", "smoothstep", "smoothstep2", "threshold"};
}
/// How the subtree kernel combines the counts of a subtree in the two trees.
enum class SubtreeCount { product, min, binary, poly };
constexpr std::array<const char*, 4> names_of(SubtreeCount) {
  return {"product", "min", "binary", "poly"};
}
/// What the partial tree kernel decays by between two children of a subsequence.
enum class Gap { skips, span };
constexpr std::array<const char*, 2> names_of(Gap) { return {"skips", "span"}; }
/// How the vectors of a head and its modifier are composed.
enum class VectorComposition { sum, product, dilation };
constexpr std::array<const char*, 3> names_of(VectorComposition) {
  return {"sum", "product", "dilation"};
}

/// ST: complete subtrees that both trees contain (Vishwanathan & Smola 2002).
struct SubtreeOptions {
  static constexpr std::string_view name = "st";
  static constexpr std::string_view description = "complete subtrees that both trees contain";

  double decay = 0.5;
  SubtreeWeight weight = SubtreeWeight::height;
  SubtreeCount count = SubtreeCount::product;
  double power = 2;
  bool leaves = false;
  bool unordered = false;
  bool labels = true;
  WeightShape shape = WeightShape::smoothstep;
  double fraction = 0.5;

  static void describe(auto& self, auto&& field) {
    field("decay", self.decay, "a subtree weighs decay^(its weight)",
          {.range = {0, 1}, .alias = "lambda", .swept = true});
    field("weight", self.weight,
          "exponent of decay; or discriminance, weights learned from the classes");
    field("kappa", self.count, "how the counts in the two trees are combined");
    field("power", self.power, "exponent of kappa=poly", {.range = {0, 16}});
    field("leaves", self.leaves, "whether single leaves count; learned weights include them");
    field("unordered", self.unordered, "whether the order of children is ignored");
    field("labels", self.labels, "whether labels count, or only the shape");
    field("f", self.shape, "how learned weights grow with discriminance");
    field("fraction", self.fraction, "fraction of the training set used only to learn the weights",
          {.range = {0.001, 0.999}});
  }
  friend bool operator==(const SubtreeOptions&, const SubtreeOptions&) = default;
};

/// SST: fragments in which every node keeps all of its children or none (Collins & Duffy 2001).
struct SubsetTreeOptions {
  static constexpr std::string_view name = "sst";
  static constexpr std::string_view description =
      "fragments whose nodes keep all of their children or none";

  double decay = 0.4;
  bool leaves = false;

  static void describe(auto& self, auto&& field) {
    field("lambda", self.decay, "a fragment weighs lambda^(expanded nodes)",
          {.range = {0, 1}, .alias = "decay", .swept = true});
    field("leaves", self.leaves, "whether pairs of equal leaves count lambda each");
  }
  friend bool operator==(const SubsetTreeOptions&, const SubsetTreeOptions&) = default;
};

/// PT: fragments in which a node keeps any subsequence of its children (Moschitti 2006).
struct PartialTreeOptions {
  static constexpr std::string_view name = "pt";
  static constexpr std::string_view description =
      "fragments whose nodes keep any of their children, in order";

  double decay = 0.4;        ///< lambda in the paper: for children skipped between two matches
  double depth_decay = 0.4;  ///< mu in the paper
  double terminal = 1;
  Gap gap = Gap::skips;
  double max_length = 0;

  static void describe(auto& self, auto&& field) {
    field("lambda", self.decay, "decay per child skipped inside a subsequence",
          {.range = {0, 1}, .alias = "decay", .swept = true});
    field("mu", self.depth_decay, "decay per level",
          {.range = {0, 1}, .alias = "depth_decay", .swept = true});
    field("terminal", self.terminal, "factor for pairs in which one node is a leaf",
          {.range = {0, 1e6}, .swept = true});
    field("gap", self.gap, "decay by skipped children, or by the span of the subsequence");
    field("max_length", self.max_length, "longest subsequence; 0: no limit",
          {.range = {0, 1e6}, .integer = true});
  }
  friend bool operator==(const PartialTreeOptions&, const PartialTreeOptions&) = default;
};

/// How similar two words are: the cosine of their vectors, to a power; 0 below a threshold.
struct SimilarityOptions {
  std::string vectors;  ///< the file
  double threshold = 0.01;
  double power = 1;
  bool center = false;

  static void describe(auto& self, auto&& field) {
    field("vectors", self.vectors, "file with word vectors");
    field("threshold", self.threshold, "smaller similarities count as 0", {.range = {0, 1}});
    field("power", self.power, "exponent of the cosine", {.range = {0.01, 100}});
    field("center", self.center, "whether to subtract the mean of the file from all vectors");
  }
  friend bool operator==(const SimilarityOptions&, const SimilarityOptions&) = default;
};

/// SPT: PT in which words match as far as they are similar (Croce, Moschitti & Basili 2011).
struct SmoothedTreeOptions : PartialTreeOptions, SimilarityOptions {
  static constexpr std::string_view name = "spt";
  static constexpr std::string_view description =
      "pt in which words match as far as they are similar";

  static void describe(auto& self, auto&& field) {
    PartialTreeOptions::describe(self, field);
    SimilarityOptions::describe(self, field);
  }
  friend bool operator==(const SmoothedTreeOptions&, const SmoothedTreeOptions&) = default;
};

/// CSPT: SPT in which nodes that hold a head and a modifier match as far as the vectors composed
/// from the two are similar (Annesi, Croce & Basili 2014).
struct CompositionalTreeOptions : SmoothedTreeOptions {
  static constexpr std::string_view name = "cspt";
  static constexpr std::string_view description =
      "spt that also composes the vectors of head and modifier";

  VectorComposition compose = VectorComposition::sum;
  double alpha = 1;
  double beta = 1;
  bool lexical = true;
  bool same_relation = true;

  static void describe(auto& self, auto&& field) {
    SmoothedTreeOptions::describe(self, field);
    field("compose", self.compose, "how the vectors of head and modifier are composed");
    field("alpha", self.alpha, "weight of the head in compose=sum", {.range = {0, 1e6}});
    field("beta", self.beta, "weight of the modifier in compose=sum", {.range = {0, 1e6}});
    field("lexical", self.lexical, "whether words match by similarity, or only if equal");
    field("same_relation", self.same_relation, "whether relations must be equal to match");
  }
  friend bool operator==(const CompositionalTreeOptions&,
                         const CompositionalTreeOptions&) = default;
};

/// The words of two trees, each with each: a bag of words, or of vectors where there are some.
struct WordsOptions : SimilarityOptions {
  static constexpr std::string_view name = "lex";
  static constexpr std::string_view description =
      "words of the trees, each with each: equal ones, or by vectors";

  WordsOptions() { threshold = -1; }
  static void describe(auto& self, auto&& field) {
    field("vectors", self.vectors, "file with word vectors; without one, equal words match");
    field("threshold", self.threshold, "smaller similarities count as 0", {.range = {-1, 1}});
    field("power", self.power, "exponent of the cosine, if not 1", {.range = {0.01, 100}});
    field("center", self.center, "whether to subtract the mean of the file from all vectors");
  }
  friend bool operator==(const WordsOptions&, const WordsOptions&) = default;
};

/// Vertical paths of labels that both trees contain; order of children never matters.
struct SubpathOptions {
  static constexpr std::string_view name = "subpath";
  static constexpr std::string_view description =
      "vertical paths of labels that both trees contain";

  double decay = 0.4;

  static void describe(auto& self, auto&& field) {
    field("lambda", self.decay, "a path weighs lambda^(its nodes)",
          {.range = {0, 1}, .alias = "decay", .swept = true});
  }
  friend bool operator==(const SubpathOptions&, const SubpathOptions&) = default;
};

/// Routes: paths of labels and child positions that both trees contain; the idea is that of the
/// route kernels (Aiolli, Da San Martino & Sperduti 2009).
struct RouteOptions {
  static constexpr std::string_view name = "route";
  static constexpr std::string_view description =
      "vertical paths of labels and child positions that both trees contain";

  double decay = 0.4;

  static void describe(auto& self, auto&& field) {
    field("lambda", self.decay, "a route weighs lambda^(its nodes)",
          {.range = {0, 1}, .alias = "decay", .swept = true});
  }
  friend bool operator==(const RouteOptions&, const RouteOptions&) = default;
};

/// The dot product of two vectors.
struct LinearOptions {
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view description = "dot product";

  static void describe(auto&, auto&&) {}
  friend bool operator==(const LinearOptions&, const LinearOptions&) = default;
};

/// (scale <x,y> + offset)^degree.
struct PolynomialOptions {
  static constexpr std::string_view name = "poly";
  static constexpr std::string_view description = "(scale * dot product + offset)^degree";

  double degree = 2;
  double scale = 1;
  double offset = 1;

  static void describe(auto& self, auto&& field) {
    field("degree", self.degree, "exponent", {.range = {1, 64}, .integer = true});
    field("scale", self.scale, "factor of the dot product", {.range = {0, 1e300}});
    field("offset", self.offset, "added to the scaled dot product", {.range = {0, 1e300}});
  }
  friend bool operator==(const PolynomialOptions&, const PolynomialOptions&) = default;
};

/// exp(-gamma |x-y|^2).
struct RbfOptions {
  static constexpr std::string_view name = "rbf";
  static constexpr std::string_view description = "exp(-gamma * squared distance)";

  double gamma = 1;

  static void describe(auto& self, auto&& field) {
    field("gamma", self.gamma, "how fast the kernel falls with distance", {.range = {0, 1e300}});
  }
  friend bool operator==(const RbfOptions&, const RbfOptions&) = default;
};

/// The cosine of the angle between two vectors; 0 if one of them is 0.
struct CosineOptions {
  static constexpr std::string_view name = "cosine";
  static constexpr std::string_view description = "cosine of the angle; 0 if one vector is 0";

  static void describe(auto&, auto&&) {}
  friend bool operator==(const CosineOptions&, const CosineOptions&) = default;
};

}  // namespace espalier
