#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/model/word_vectors.hpp"
#include "output.hpp"

namespace espalier::cli {

namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The labels of select() that no tree has, each once.
void list_absent_labels(const KernelNode& node, std::initializer_list<const Dataset*> data,
                        std::set<std::string>& out) {
  if (const auto* combination = std::get_if<CombinationNode>(&node.what)) {
    for (const KernelNode& operand : combination->operands) list_absent_labels(operand, data, out);
  }
  const auto* tree = std::get_if<TreeKernelNode>(&node.what);
  if (tree == nullptr) return;
  const auto occurs = [&](const std::string& label) {
    return std::ranges::any_of(data, [&](const Dataset* each) {
      return std::ranges::any_of(each->forests(), [&](const Named<Forest>& forest) {
        return forest.value.labels().find(label) != none;
      });
    });
  };
  std::ranges::remove_copy_if(tree->labels, std::inserter(out, out.end()), occurs);
}

void warn_of_absent_labels(std::span<const FittedKernel> kernels,
                           std::initializer_list<const Dataset*> data) {
  std::set<std::string> absent;
  for (const FittedKernel& kernel : kernels) list_absent_labels(kernel.root(), data, absent);
  if (absent.empty()) return;
  warn(fmt::format("{} of select() {} in no tree, such as {}", counted(absent.size(), "label"),
                   absent.size() == 1 ? "occurs" : "occur", in_quotes(*absent.begin())));
}

}  // namespace

std::vector<FittedKernel> look_up_words(std::span<const FittedKernel> kernels,
                                        std::initializer_list<const Dataset*> data,
                                        const WorkOptions& work) {
  warn_of_absent_labels(kernels, data);
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
