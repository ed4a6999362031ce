#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// Where the files of word vectors are that a kernel names, and which they were in training.
struct WordFiles {
  std::string folder;    ///< of the model: a file that is not there may be in it
  std::string path;      ///< read instead of the file that the kernel names; empty: that one
  bool ignored = false;  ///< no file is read: words that are not known have no vector
  /// Of the content of the files in training, by the names in the kernel: see word_file_digest().
  std::map<std::string, std::uint64_t> digests;
};

/// The file that is read for a name in a kernel: `files.path`; the name itself; where that is not
/// there, the name relative to the folder, or its last part in the folder.
std::string find_word_file(const std::string& name, const WordFiles& files);

/// The digests of the files that a kernel names and that are there. Reads them.
std::map<std::string, std::uint64_t> word_file_digests(const FittedKernel& kernel);

/// The kernels with the vectors of all words in the trees of these data sets. Words that a kernel
/// already has are not looked up again; if it has all of them, no file is read. A file that several
/// kernels name is read once. `warn` is called with a one-line warning.
///
/// train(), cross_validate(), tune() and predict() call this; what computes without a model, like
/// gram(), needs the result. Throws Error if a file that is read has changed since training.
std::vector<FittedKernel> load_word_vectors(
    std::span<const FittedKernel> kernels, std::initializer_list<const Dataset*> data,
    const std::function<void(const std::string&)>& warn = {}, const WordFiles& files = {});
FittedKernel load_word_vectors(const FittedKernel& kernel,
                               std::initializer_list<const Dataset*> data,
                               const WordFiles& files = {});

/// A copy of a KernelFunctions or Nystroem that also has the vectors of the words in the data.
template <class Fitted>
Fitted with_words_of(const Dataset& data, Fitted fitted, const WordFiles& files = {}) {
  fitted.set_state(load_word_vectors(fitted.kernel(), {&data}, files).state);
  return fitted;
}

/// The words of the data that a kernel has not looked up: with `ignored` files they have no vector.
LabelTable unknown_words(const FittedKernel& kernel, const Dataset& data);

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
