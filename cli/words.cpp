#include "words.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/model/word_vectors.hpp"
#include "output.hpp"

namespace espalier::cli {

namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<FittedKernel> look_up_words(std::span<const FittedKernel> kernels,
                                        std::initializer_list<const Dataset*> data,
                                        const WorkOptions& work) {
  std::vector<FittedKernel> out = load_word_vectors(kernels, data, warn);
  for (const auto& [file, words, found] : word_coverage(out)) {
    if (words == 0) {
      warn("the trees have no words, as in LEX##film::n: the vectors change nothing");
    } else if (!work.quiet) {
      tell(fmt::format("{}: vectors of {} of {} ({:.1f} %)", file, grouped(found),
                       counted(words, "word"), percent(found, words)));
    }
  }
  return out;
}

FittedKernel look_up_words(const FittedKernel& kernel, std::initializer_list<const Dataset*> data,
                           const WorkOptions& work) {
  return std::move(look_up_words({&kernel, 1}, data, work)[0]);
}

std::string coverage_text(const Dataset& data, const std::string& file) {
  const WordUse use = word_use(data, file);
  std::string out = fmt::format(
      "  {}: vectors of {} of {} ({:.1f} %), which are {:.1f} % of all that the trees hold\n", file,
      grouped(use.words - use.missing.size()), counted(use.words, "word"),
      percent(use.words - use.missing.size(), use.words), percent(use.found_uses, use.uses));
  constexpr std::size_t most = 10;
  if (!use.missing.empty()) out += "    without one, the most frequent first:";
  for (std::size_t k = 0; k < std::min(most, use.missing.size()); ++k) {
    out += fmt::format("{} {} ({})", k == 0 ? "" : ",", use.missing[k].word,
                       grouped(use.missing[k].uses));
  }
  return out + (use.missing.empty() ? "" : "\n");
}

}  // namespace espalier::cli
