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
  std::string name = {};   ///< of the data, for the heading
  std::string tree = {};   ///< which tree of each example; "": the only one there is
  bool unordered = false;  ///< whether the order of children is ignored
  bool labels = true;      ///< whether labels count, or only the shape
  WeightShape shape = WeightShape::smoothstep;  ///< how weights rise with discriminance
};

/// What is known of a distinct subtree.
struct SubtreeFacts {
  double weight = 0;        ///< from 0, it says nothing, to 1
  std::uint32_t group = 0;  ///< which of Report::groups it belongs to; none if no tree contains it
  std::uint32_t trees = 0;  ///< that contain it
  bool by_absence = false;  ///< whether its absence speaks for the class, or its presence
};

/// What subtrees are coloured by: a class that they speak for or, where there are no classes to
/// tell apart, how frequent they are.
struct Group {
  std::string name;
  std::uint64_t trees = 0;  ///< of the class; all trees where the groups are no classes
};

/// A subtree that is drawn.
struct ChosenSubtree {
  VertexId vertex;
  std::vector<std::uint32_t> trees_of_class;  ///< that contain it; empty without classes
};

/// One setting of an experiment: for each metric its values over the splits.
struct ResultSeries {
  std::string name;
  std::vector<std::pair<std::string, std::vector<double>>> metrics;
};

/// All that a report shows, as numbers.
struct Report {
  explicit Report(Forest subtrees) : forest(std::move(subtrees)) {}

  std::string name;
  std::string tree_name;
  Forest forest;
  std::vector<double> sizes;          ///< per tree
  std::vector<double> heights;        ///< per tree
  std::vector<double> outdegrees;     ///< per tree: the most children of a node
  std::vector<double> numbers;        ///< per example, where the labels are numbers
  bool has_classes = false;           ///< whether the groups are classes
  std::vector<Group> classes;         ///< most frequent first, even if there is only one
  std::vector<Group> groups;          ///< classes, or ranges of frequency
  std::uint64_t unlabelled = 0;       ///< examples without a class
  std::string weights;                ///< in words: where they come from
  std::vector<SubtreeFacts> facts;    ///< per vertex
  std::vector<ChosenSubtree> chosen;  ///< by group, and by falling weight within one
  std::size_t chosen_per_group = 0;   ///< at most
  std::vector<std::pair<std::string, std::string>> model;  ///< what to say about the model
  std::vector<ResultSeries> results;                       ///< for box plots; may be added
};

/// Looks at the classes and weighs all distinct subtrees of the data. If `model` has learned the
/// weights of subtrees, then these are shown, and its kernel decides about tree, order and labels.
/// Linear in the data, but for sorting. Throws Error if there are no trees.
Report make_report(const Dataset& data, const ReportOptions& options, const Model* model = nullptr);

/// The largest number of groups that get a place in figures.
inline constexpr std::size_t most_groups = 120;

/// The names of the figures that a report has.
std::vector<std::string> figure_names();

/// One figure as an SVG file. Throws Error if there is no figure of that name, or nothing to draw.
std::string report_svg(const Report& report, std::string_view figure);

/// The whole report as one HTML file that needs nothing else. The same bytes for the same report.
std::string report_html(const Report& report);

}  // namespace espalier
