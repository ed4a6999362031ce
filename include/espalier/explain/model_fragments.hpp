#pragma once

#include <string>
#include <vector>

#include "espalier/fragments/top_fragments.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

/// The heaviest fragments of a model.
struct ModelFragments {
  std::string kernel;
  std::vector<std::string> classes;  ///< of WeightedFragment::weights; one that is "" if there are
                                     ///< no classes
  std::vector<std::string> terms;    ///< see fragment_terms()
  std::vector<std::string> others;   ///< see parts_without_fragments()
  std::uint64_t examples = 0;        ///< of the data, if there are any

  struct OfClass {
    std::uint32_t number;  ///< index into classes
    TopFragments found;
  };
  std::vector<OfClass> lists;
};

/// The heaviest fragments of each class or, if it is named, of one; see top_fragments(). Of two
/// classes that one function separates only the first has a list, as the weights of the other one
/// are the opposite ones. Of a model with fragments as features, lists these with its weights.
/// Throws Error if the model is a network, which is not linear, if its features are hashed, or if
/// it knows no such class.
ModelFragments model_fragments(const Model& model, const FragmentOptions& options,
                               const std::string& of_class = "", const Dataset* data = nullptr,
                               const Context& context = {});

/// The fragments of one tree, each with the value of its coordinate as weight: K(x, x) is the sum
/// of their squares. Throws Error if the kernel has no fragments.
ModelFragments tree_fragments(const FittedKernel& kernel, const Tree& tree,
                              const FragmentOptions& options, const Context& context = {});

/// A fragment as a small tree, as SVG; frontier nodes have a dashed line below.
std::string fragment_svg(const Fragment& fragment);

/// A self-contained HTML page that draws each fragment, with its weights in all classes, the number
/// of examples and two of them. `data` is that of model_fragments(), or null.
std::string fragments_page(const ModelFragments& fragments, const std::string& title,
                           const Dataset* data = nullptr);

}  // namespace espalier
