#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// The kernels with the vectors of all words in the trees of these data sets. Words that a kernel
/// already has are not looked up again; if it has all of them, no file is read. A file that several
/// kernels name is read once. `warn` is called with a one-line warning.
///
/// train(), cross_validate(), tune() and predict() call this; what computes without a model, like
/// gram(), needs the result. Throws Error if the vectors in a file have changed.
std::vector<FittedKernel> load_word_vectors(
    std::span<const FittedKernel> kernels, std::initializer_list<const Dataset*> data,
    const std::function<void(const std::string&)>& warn = {});
FittedKernel load_word_vectors(const FittedKernel& kernel,
                               std::initializer_list<const Dataset*> data);

/// A copy of a KernelFunctions or Nystroem that also has the vectors of the words in the data.
template <class Fitted>
Fitted with_words_of(const Dataset& data, Fitted fitted) {
  fitted.set_state(load_word_vectors(fitted.kernel(), {&data}).state);
  return fitted;
}

/// Coverage: how many of the words that kernels looked up have a vector.
struct WordCoverage {
  std::string file;
  std::uint64_t words = 0;
  std::uint64_t found = 0;
};
/// One for each file that the kernels have looked words up in.
std::vector<WordCoverage> word_coverage(std::span<const FittedKernel> kernels);

/// The words in the trees of a data set with their numbers of uses: in labels that are words, and
/// in compositions of a head and a modifier.
struct WordUse {
  struct Word {
    std::string word;
    std::uint64_t uses;
  };
  std::uint64_t words = 0;
  std::uint64_t uses = 0;
  std::uint64_t found_uses = 0;  ///< of words that have a vector
  std::vector<Word> missing;     ///< words without a vector, most used first
};
WordUse word_use(const Dataset& data, const std::string& file);

}  // namespace espalier
