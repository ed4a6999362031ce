// What is suspicious about data for a model.

#include <fmt/format.h>

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

/// More than this share of unseen labels is suspicious.
constexpr double most_unseen = 0.5;

}  // namespace

std::vector<std::string> warnings_about(const Model& model, const Dataset& data) {
  std::vector<std::string> out;
  const auto& trained = model.provenance.reading;
  if (trained && data.reading() && *trained != *data.reading()) {
    out.push_back(
        fmt::format("the model was trained on data read with {}, but this data was read with {}",
                    shown(*trained), shown(*data.reading())));
  }
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
