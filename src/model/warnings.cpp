// What is suspicious about data for a model.

#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

namespace {

std::string shown(const std::vector<Setting>& settings) {
  std::string out;
  for (const auto& [name, value] : settings) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, value);
  }
  return out.empty() ? "the defaults" : out;
}

/// Without the column of classes, which has no influence on the trees: "class=c,newick=t" becomes
/// "newick=t".
std::vector<Setting> for_trees(std::vector<Setting> settings) {
  for (auto& [name, value] : settings) {
    if (name != "columns") continue;
    std::string kept;
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      const std::string part = value.substr(begin, end - begin);
      if (!part.starts_with("class=")) kept += (kept.empty() ? "" : ",") + part;
      begin = end + 1;
    }
    value = kept;
  }
  return settings;
}

/// More than this share of unseen labels is suspicious.
constexpr double most_unseen = 0.5;

}  // namespace

std::vector<std::string> warnings_about(const Model& model, const Dataset& data) {
  std::vector<std::string> out;
  const auto& trained = model.provenance.reading;
  if (trained && data.reading() && for_trees(*trained) != for_trees(*data.reading())) {
    out.push_back(
        fmt::format("the model was trained on data read with {}, but this data was read with {}",
                    shown(*trained), shown(*data.reading())));
  }
  if (model.word_files.ignored) {
    const LabelTable words = unknown_words(model.functions.kernel(), data);
    if (words.size() > 0) {
      out.push_back(
          fmt::format("{}, such as {}, {} no vector: without the file of word vectors, a "
                      "word that the model does not know is like itself only",
                      counted(words.size(), "word"), in_quotes(words.text(0)),
                      words.size() == 1 ? "has" : "have"));
    }
  }
  // A model on fragments stores no labels but those of its fragments.
  if (model.fragments() != nullptr) return out;
  const double unseen = model.functions.unseen_labels(data).value_or(0);
  if (unseen > most_unseen) {
    out.push_back(
        fmt::format("{:.0f} % of the nodes have labels that the model has never seen: are these "
                    "the same kind of "
                    "trees, read in the same way?",
                    100 * unseen));
  }
  return out;
}

}  // namespace espalier
