#include "report_results.hpp"

#include <algorithm>
#include <fstream>

#include "espalier/base/error.hpp"
#include "json.hpp"

namespace espalier::cli {

namespace {

ResultSeries read_series(const Json& json) {
  ResultSeries out{json.at("kernel").get<std::string>(), {}};
  for (const Json& split : json.at("splits")) {
    for (const auto& [metric, value] : split.items()) {
      if (!value.is_number()) continue;  // not defined for this split
      auto found = std::ranges::find(out.metrics, metric, [](const auto& m) { return m.first; });
      if (found == out.metrics.end()) {
        out.metrics.emplace_back(metric, std::vector<double>());
        found = out.metrics.end() - 1;
      }
      found->second.push_back(value.get<double>());
    }
  }
  if (out.metrics.empty()) throw Error("there are no splits with numbers");
  return out;
}

}  // namespace

std::vector<ResultSeries> read_results(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("cannot open " + path);
  try {
    const Json json = Json::parse(file);
    std::vector<ResultSeries> out;
    for (const Json& series : json.at("results")) out.push_back(read_series(series));
    if (out.empty()) throw Error("there are no results");
    return out;
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  } catch (const Json::exception&) {
    throw Error(path + ": this is no JSON file of results (see espalier report --help)");
  }
}

}  // namespace espalier::cli
