#include "prediction_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "json.hpp"

namespace espalier::cli {

namespace {

/// Ids are text of any kind; a row is one line.
std::string one_cell(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json by_class(const Predictions& predictions, std::span<const double> values) {
  Json out = Json::object();
  for (std::size_t c = 0; c < values.size(); ++c) out[predictions.class_names[c]] = values[c];
  return out;
}

}  // namespace

std::string PredictionRows::head(bool ids) {
  ids_ = ids;
  if (json_) return {};
  std::string out = ids ? "id\t" : "";
  if (model_.task() == Task::regression) {
    out += "number";
  } else if (model_.task() == Task::one_class) {
    out += "label\tscore";
  } else {
    out += "label";
    for (const std::string& name : model_.classes()) out += "\t" + name;
    if (probabilities_) {
      for (const std::string& name : model_.classes()) out += "\tp(" + name + ")";
    }
  }
  return out + (errors_ ? "\terror\n" : "\n");
}

std::string PredictionRows::row(const Predictions& predictions, std::size_t i,
                                const std::optional<std::string>& id) {
  if (json_) return json_row(predictions, i, id);
  if (id && !ids_ && !std::exchange(told_, true)) {
    warn("the first examples have no id: ids of later ones are not written; --json has them");
  }
  std::string out = ids_ ? one_cell(id.value_or("")) + "\t" : "";
  out += predictions.label(i);
  const auto scores = predictions.scores.row(i);
  if (predictions.task == Task::one_class) out += "\t" + print_number(scores[0]);
  if (predictions.task == Task::classification) {
    for (const double score : scores) out += fmt::format("\t{:.6g}", score);
    if (predictions.probabilities.rows() > 0) {
      for (const double p : predictions.probabilities.row(i)) out += fmt::format("\t{:.6g}", p);
    }
  }
  return out + (errors_ ? "\t\n" : "\n");
}

std::string PredictionRows::json_row(const Predictions& predictions, std::size_t i,
                                     const std::optional<std::string>& id) const {
  Json out = Json::object();
  if (id) out["id"] = *id;
  const auto scores = predictions.scores.row(i);
  if (predictions.task == Task::regression) {
    out["number"] = scores[0];
  } else if (predictions.task == Task::one_class) {
    out["label"] = predictions.label(i);
    out["score"] = scores[0];
  } else {
    if (model_.multi_label()) {
      out["labels"] = Json::array();
      for (const std::uint32_t c : predictions.classes[i]) {
        out["labels"].push_back(predictions.class_names[c]);
      }
    } else {
      out["label"] = predictions.label(i);
    }
    out["scores"] = by_class(predictions, scores);
    if (predictions.probabilities.rows() > 0) {
      out["probabilities"] = by_class(predictions, predictions.probabilities.row(i));
    }
  }
  return json_line(out);
}

std::string PredictionRows::error_row(const std::string& error) const {
  if (json_) return json_line({{"error", error}});
  const bool regression = model_.task() == Task::regression;
  const std::size_t classes = model_.classes().size() * (probabilities_ ? 2 : 1);
  const std::size_t scores = regression ? 0 : model_.task() == Task::one_class ? 1 : classes;
  return std::string(scores + (ids_ ? 1 : 0), '\t') + "\t" + error + "\n";
}

}  // namespace espalier::cli
