#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/kernel/options.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

struct ReportOptions {
  std::string name = {};                        ///< of the data, for the heading
  std::string tree = {};                        ///< name of the trees; "" selects the only one
  bool unordered = false;                       ///< ignore the order of children
  bool labels = true;                           ///< false: ignore labels, compare only the shape
  WeightShape shape = WeightShape::smoothstep;  ///< how weights rise with discriminance
};

/// Statistics of a distinct subtree.
struct SubtreeFacts {
  double weight = 0;        ///< from 0 (uninformative) to 1
  std::uint32_t group = 0;  ///< index into Report::groups; none if no tree contains it
  std::uint32_t trees = 0;  ///< number of trees that contain it
  bool by_absence = false;  ///< whether its absence, not its presence, indicates the class
};

/// A colour group of subtrees: those that indicate a class or, without classes, a range of
/// frequencies.
struct Group {
  std::string name;
  std::uint64_t trees = 0;  ///< of the class; all trees if the groups are not classes
};

/// A subtree that is drawn.
struct ChosenSubtree {
  VertexId vertex;
  std::vector<std::uint32_t> trees_of_class;  ///< that contain it; empty without classes
};

/// One setting of an experiment: the values of each metric over the splits.
struct ResultSeries {
  std::string name;
  std::vector<std::pair<std::string, std::vector<double>>> metrics;
};

/// The data of a report.
struct Report {
  explicit Report(Forest subtrees) : forest(std::move(subtrees)) {}

  std::string name;
  std::string tree_name;
  Forest forest;
  std::vector<double> sizes;          ///< per tree
  std::vector<double> heights;        ///< per tree
  std::vector<double> outdegrees;     ///< per tree: the largest number of children of a node
  std::vector<double> numbers;        ///< per example, if the labels are numbers
  bool has_classes = false;           ///< whether the groups are classes
  std::vector<Group> classes;         ///< most frequent first, even if there is only one
  std::vector<Group> groups;          ///< classes, or ranges of frequency
  std::uint64_t unlabelled = 0;       ///< examples without a class
  std::string weights;                ///< a sentence on where the weights come from
  std::vector<SubtreeFacts> facts;    ///< per vertex
  std::vector<ChosenSubtree> chosen;  ///< by group, then by descending weight
  std::size_t chosen_per_group = 0;   ///< the largest number of them in a group
  std::vector<std::pair<std::string, std::string>> model;  ///< names and values about the model
  std::vector<ResultSeries> results;                       ///< for box plots; set by the caller
};

/// Computes the weights of all distinct subtrees of the data from the classes. If `model` has
/// learned subtree weights, these are shown, and its kernel determines tree, order and labels.
/// Linear in the data, apart from sorting. Throws Error if there are no trees.
Report make_report(const Dataset& data, const ReportOptions& options, const Model* model = nullptr);

/// The largest number of groups shown in figures.
inline constexpr std::size_t most_groups = 120;

/// The names of the figures of a report.
std::vector<std::string> figure_names();

/// One figure as an SVG file. Throws Error if the name is unknown or there is nothing to draw.
std::string report_svg(const Report& report, std::string_view figure);

/// The report as a self-contained HTML file. Deterministic.
std::string report_html(const Report& report);

}  // namespace espalier
