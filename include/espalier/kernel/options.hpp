#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "espalier/base/range.hpp"

namespace espalier {

struct SubtreeWeights;
struct WordVectors;

/// How the subtree kernel weighs a subtree.
enum class SubtreeWeight { height, size, productions, uniform, discriminance };
/// How the weight of a subtree rises with its discriminance, from 0 to 1.
enum class WeightShape { identity, smoothstep, smoothstep2, threshold };
/// How the subtree kernel combines the two counts of a subtree.
enum class SubtreeCount { product, min, binary, poly };
/// What the partial tree kernel decays by between two children of a subsequence.
enum class Gap { skips, span };
/// How the vectors of a head and its modifier become one.
enum class VectorComposition { sum, product, dilation };

// Each struct lists its own fields once: the describe() of a kernel's options alone drives parsing,
// checking, printing and the reference. A visitor is called as
//     field(name, member, Range, help)            for numbers
//     field(name, member, help)                   for true/false
//     field(name, member, names, help)            for enumerations, the names in their order
//     field(name, member, help)                   for texts

/// ST: complete subtrees that both trees contain (Vishwanathan & Smola 2002).
struct SubtreeOptions {
  double decay = 0.5;
  SubtreeWeight weight = SubtreeWeight::height;
  SubtreeCount count = SubtreeCount::product;
  double power = 2;
  bool leaves = false;
  bool unordered = false;
  bool labels = true;
  WeightShape shape = WeightShape::smoothstep;
  double fraction = 0.5;
  /// What weight=discriminance has learned; no part of the expression.
  std::shared_ptr<const SubtreeWeights> learned = {};

  static void describe(auto&& field) {
    using Self = SubtreeOptions;
    constexpr const char* weights[] = {"height", "size", "productions", "uniform", "discriminance"};
    constexpr const char* shapes[] = {"identity", "smoothstep", "smoothstep2", "threshold"};
    constexpr const char* counts[] = {"product", "min", "binary", "poly"};
    field("decay", &Self::decay, Range{0, 1}, "a subtree weighs decay^(what weight= says)");
    field("weight", &Self::weight, weights,
          "what is counted in the exponent of decay; or weights learned from classes");
    field("kappa", &Self::count, counts, "how the counts in the two trees are combined");
    field("power", &Self::power, Range{0, 16}, "the exponent of kappa=poly");
    field("leaves", &Self::leaves, "whether single leaves count; learned weights always see them");
    field("unordered", &Self::unordered, "whether the order of children is ignored");
    field("labels", &Self::labels, "whether labels count, or only the shape");
    field("f", &Self::shape, shapes, "how learned weights rise with discriminance");
    field("fraction", &Self::fraction, Range{0.001, 0.999},
          "share of the training examples that weights are learned from, and nothing else");
  }
  friend bool operator==(const SubtreeOptions&, const SubtreeOptions&) = default;
};

/// SST: fragments in which every node keeps all of its children or none (Collins & Duffy 2001).
struct SubsetTreeOptions {
  double decay = 0.4;
  bool leaves = false;

  static void describe(auto&& field) {
    using Self = SubsetTreeOptions;
    field("lambda", &Self::decay, Range{0, 1}, "a fragment weighs lambda^(expanded nodes)");
    field("leaves", &Self::leaves, "whether pairs of equal leaves count lambda each");
  }
  friend bool operator==(const SubsetTreeOptions&, const SubsetTreeOptions&) = default;
};

/// PT: fragments in which a node keeps any subsequence of its children (Moschitti 2006).
struct PartialTreeOptions {
  double decay = 0.4;        ///< lambda in the paper: for children skipped between two matches
  double depth_decay = 0.4;  ///< mu in the paper
  double terminal = 1;
  Gap gap = Gap::skips;
  double max_length = 0;

  static void describe(auto&& field) { describe<PartialTreeOptions>(field); }
  /// For Self and what is derived from it.
  template <class Self>
  static void describe(auto&& field) {
    constexpr const char* gaps[] = {"skips", "span"};
    field("lambda", &Self::decay, Range{0, 1}, "decay for each child skipped inside a subsequence");
    field("mu", &Self::depth_decay, Range{0, 1}, "decay for each level");
    field("terminal", &Self::terminal, Range{0, 1e6}, "factor for pairs in which one is a leaf");
    field("gap", &Self::gap, gaps, "decay by children skipped, or by the span of the subsequence");
    field("max_length", &Self::max_length, Range{0, 1e6}, "longest subsequence; 0: no limit");
  }
  friend bool operator==(const PartialTreeOptions&, const PartialTreeOptions&) = default;
};

/// How similar two words are: the cosine of their vectors, to a power; 0 below a threshold.
struct SimilarityOptions {
  std::string vectors;  ///< the file
  double threshold = 0.01;
  double power = 1;
  bool center = false;
  /// The vectors that were read; no part of the expression.
  std::shared_ptr<const WordVectors> words = {};

  template <class Self>
  static void describe(auto&& field) {
    field("vectors", &Self::vectors, "the file that has the vectors of words");
    field("threshold", &Self::threshold, Range{0, 1}, "similarities below count as 0");
    field("power", &Self::power, Range{0.01, 100}, "exponent of the cosine");
    field("center", &Self::center, "whether the mean of the file is taken off all vectors");
  }
  friend bool operator==(const SimilarityOptions&, const SimilarityOptions&) = default;
};

/// SPT: PT in which words match as far as they are similar (Croce, Moschitti & Basili 2011).
struct SmoothedTreeOptions : PartialTreeOptions, SimilarityOptions {
  static void describe(auto&& field) { describe<SmoothedTreeOptions>(field); }
  template <class Self>
  static void describe(auto&& field) {
    PartialTreeOptions::describe<Self>(field);
    SimilarityOptions::describe<Self>(field);
  }
  friend bool operator==(const SmoothedTreeOptions&, const SmoothedTreeOptions&) = default;
};

/// CSPT: SPT in which nodes that hold a head and a modifier match as far as the vectors composed
/// from the two are similar (Annesi, Croce & Basili 2014).
struct CompositionalTreeOptions : SmoothedTreeOptions {
  VectorComposition compose = VectorComposition::sum;
  double alpha = 1;
  double beta = 1;
  bool lexical = true;
  bool same_relation = true;

  static void describe(auto&& field) {
    using Self = CompositionalTreeOptions;
    constexpr const char* compositions[] = {"sum", "product", "dilation"};
    SmoothedTreeOptions::describe<Self>(field);
    field("compose", &Self::compose, compositions, "how head and modifier become one vector");
    field("alpha", &Self::alpha, Range{0, 1e6}, "weight of the head in compose=sum");
    field("beta", &Self::beta, Range{0, 1e6}, "weight of the modifier in compose=sum");
    field("lexical", &Self::lexical, "whether words match by similarity, or only if equal");
    field("same_relation", &Self::same_relation, "whether relations must be equal to match");
  }
  friend bool operator==(const CompositionalTreeOptions&,
                         const CompositionalTreeOptions&) = default;
};

/// The words of two trees, each with each: a bag of words, or of vectors where there are some.
struct WordsOptions : SimilarityOptions {
  WordsOptions() { threshold = -1; }
  static void describe(auto&& field) {
    using Self = WordsOptions;
    field("vectors", &Self::vectors,
          "the file that has the vectors of words; without one, equal words match");
    field("threshold", &Self::threshold, Range{-1, 1}, "similarities below count as 0");
    field("power", &Self::power, Range{0.01, 100}, "exponent of the cosine, if not 1");
    field("center", &Self::center, "whether the mean of the file is taken off all vectors");
  }
  friend bool operator==(const WordsOptions&, const WordsOptions&) = default;
};

/// Vertical paths of labels that both trees contain; order of children never matters.
struct SubpathOptions {
  double decay = 0.4;

  static void describe(auto&& field) {
    field("lambda", &SubpathOptions::decay, Range{0, 1}, "a path weighs lambda^(its nodes)");
  }
  friend bool operator==(const SubpathOptions&, const SubpathOptions&) = default;
};

/// The dot product of two vectors.
struct LinearOptions {
  static void describe(auto&&) {}
  friend bool operator==(const LinearOptions&, const LinearOptions&) = default;
};

/// (scale <x,y> + offset)^degree.
struct PolynomialOptions {
  double degree = 2;
  double scale = 1;
  double offset = 1;

  static void describe(auto&& field) {
    using Self = PolynomialOptions;
    field("degree", &Self::degree, Range{1, 64}, "the exponent, a whole number");
    field("scale", &Self::scale, Range{0, 1e300}, "factor of the dot product");
    field("offset", &Self::offset, Range{0, 1e300}, "added to the dot product");
  }
  friend bool operator==(const PolynomialOptions&, const PolynomialOptions&) = default;
};

/// exp(-gamma |x-y|^2).
struct RbfOptions {
  double gamma = 1;

  static void describe(auto&& field) {
    field("gamma", &RbfOptions::gamma, Range{0, 1e300}, "how fast the kernel falls with distance");
  }
  friend bool operator==(const RbfOptions&, const RbfOptions&) = default;
};

/// The cosine of the angle between two vectors; 0 if one of them is 0.
struct CosineOptions {
  static void describe(auto&&) {}
  friend bool operator==(const CosineOptions&, const CosineOptions&) = default;
};

}  // namespace espalier
