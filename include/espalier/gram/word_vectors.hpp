#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// The kernels with the vectors of all words in the trees of these data sets. Words that a kernel
/// knows already are not looked up again; if that is all of them, no file is read. A file that
/// several kernels name is read once. `warn` is called with a line about each thing that is odd.
///
/// Everything that computes kernels does this by itself. Who computes with the same words again and
/// again does it once before. Throws Error if a kernel needs a file and names none, and if the file
/// has other vectors than those that are known from it.
std::vector<Kernel> with_word_vectors(std::span<const Kernel> kernels,
                                      std::initializer_list<const Dataset*> data,
                                      const std::function<void(const std::string&)>& warn = {});
Kernel with_word_vectors(const Kernel& kernel, std::initializer_list<const Dataset*> data);

/// How many of the words that kernels have looked for have a vector.
struct WordCoverage {
  std::string file;
  std::uint64_t words = 0;
  std::uint64_t found = 0;
};
/// One for each file that the kernels name and have looked something up in.
std::vector<WordCoverage> word_coverage(std::span<const Kernel> kernels);

/// The words in the trees of a data set, and how often they are used: in labels that are a word,
/// and in those that hold a head and a modifier.
struct WordUse {
  struct Word {
    std::string word;
    std::uint64_t uses;
  };
  std::uint64_t words = 0;
  std::uint64_t uses = 0;
  std::uint64_t found_uses = 0;  ///< of words that have a vector
  std::vector<Word> missing;     ///< those that have none, the most used first
};
WordUse word_use(const Dataset& data, const std::string& file);

}  // namespace espalier
