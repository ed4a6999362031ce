#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/evaluate/clustering.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/io/format.hpp"
#include "espalier/learn/clustering.hpp"
#include "espalier/model/train.hpp"
#include "json.hpp"
#include "output.hpp"
#include "parameters.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct ClusterCommand {
  std::string kernel;
  std::string data;
  std::string output;
  std::size_t central = 3;
  bool json = false;
  ClusterOptions clustering;
  NystroemOptions nystroem = {.landmarks = 0};
  ParameterFlags flags;
  ReadOptions read;
  WorkOptions work;

  static void describe(auto& self, auto&& field) {
    ClusterOptions::describe(self.clustering, field);
    NystroemOptions::describe(self.nystroem, field);
  }
};

/// One class for each example, if all have classes.
std::optional<Targets> classes_of(const Dataset& data) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data.labels(i).empty()) return std::nullopt;
  }
  Targets out = make_targets(data);
  if (out.task != Task::classification || out.multi_label()) return std::nullopt;
  return out;
}

Clustering clustered(const ClusterCommand& options, const Dataset& data,
                     const std::optional<Targets>& targets) {
  const FittedKernel kernel = look_up_words(Kernel(options.kernel), {&data}, options.work);
  const Context context = options.work.context("cluster");
  options.flags.check_use("cluster");
  if (options.nystroem.landmarks == 0) {
    check_memory(data.size(), context);
    return cluster_kernel(gram<float>(kernel, data, context), options.clustering, context);
  }
  Nystroem nystroem(kernel, options.nystroem);
  nystroem.fit(data, targets ? rarest_classes(targets->classes) : std::vector<std::uint32_t>(),
               context);
  return cluster_vectors(nystroem.transform(data, context), options.clustering, context);
}

/// The classes of the members, the most frequent first.
std::string classes_text(const Targets& targets, std::span<const std::uint32_t> members) {
  std::vector<std::pair<std::size_t, std::uint32_t>> counts;
  for (std::uint32_t c = 0; c < targets.names.size(); ++c) counts.emplace_back(0, c);
  for (const std::uint32_t i : members) ++counts[targets.classes[i][0]].first;
  std::ranges::stable_sort(counts, std::greater<>(), &std::pair<std::size_t, std::uint32_t>::first);
  std::string out;
  for (const auto& [count, c] : counts) {
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", targets.names[c], count);
  }
  return out;
}

std::string to_text(const Clustering& clustering, const Dataset& data,
                    const std::optional<Targets>& targets, std::size_t central) {
  std::string out;
  for (std::uint32_t c = 0; c < clustering.cluster_count(); ++c) {
    const auto members = clustering.members(c);
    out += fmt::format("cluster {}: {}", c + 1, counted(members.size(), "example"));
    out += targets ? fmt::format("; {}\n", classes_text(*targets, members)) : "\n";
    for (std::size_t m = 0; m < std::min(central, members.size()); ++m) {
      out += fmt::format("  {:>6}  {}\n", members[m] + 1, shown_text(data.example(members[m])));
    }
  }
  return printable(out, "\n");
}

std::string to_text(const ClusterScores& scores) {
  return fmt::format("purity {:.4f}, normalised mutual information {:.4f}, adjusted Rand {:.4f}\n",
                     scores.purity, scores.normalized_mutual_information, scores.adjusted_rand);
}

Json clustering_json(const Clustering& clustering, const std::optional<ClusterScores>& scores,
                     std::size_t central) {
  Json out = {{"cost", clustering.cost},
              {"iterations", clustering.iterations},
              {"converged", clustering.converged},
              {"scores", to_json(scores)},
              {"clusters", Json::array()}};
  for (std::uint32_t c = 0; c < clustering.cluster_count(); ++c) {
    auto members = clustering.members(c);
    const std::size_t size = members.size();
    members.resize(std::min(central, size));
    for (std::uint32_t& member : members) ++member;  // counted from 1, as in the text
    out["clusters"].push_back({{"size", size}, {"central", members}});
  }
  return out;
}

void write_clusters(const Clustering& clustering, Sink& sink) {
  sink.write("cluster\tdistance\n");
  for (std::size_t i = 0; i < clustering.clusters.size(); ++i) {
    sink.write(fmt::format("{}\t{:.6g}\n", clustering.clusters[i] + 1,
                           std::sqrt(clustering.distances[i])));
  }
  sink.commit();
}

void run(const ClusterCommand& options) {
  if (!options.output.empty()) output_suffix(options.output, {".tsv", ".txt", ""});
  check_outputs({"-", options.output}, {options.data});
  std::optional<Sink> sink = open_if_named(options.output);
  const Dataset data = read(options.data, options.read);
  const std::optional<Targets> targets = classes_of(data);
  const Clustering clustering = clustered(options, data, targets);
  std::optional<ClusterScores> scores;
  if (targets) {
    scores = evaluate_clustering(rarest_classes(targets->classes), clustering.clusters);
  }
  if (sink) write_clusters(clustering, *sink);
  print(options.json ? json_text(clustering_json(clustering, scores, options.central))
                     : to_text(clustering, data, targets, options.central) +
                           (scores ? to_text(*scores) : ""));
  if (!clustering.converged) {
    warn("the clusters still changed in the last iteration: a larger --max-iterations may help");
  }
}

}  // namespace

void add_cluster(CLI::App& program) {
  auto* command = program.add_subcommand("cluster", "Group examples that a kernel finds similar");
  auto options = std::make_shared<ClusterCommand>();
  command->add_option("-k,--kernel", options->kernel, "the kernel expression")->required();
  command->add_option("data", options->data, "the examples")->required();
  options->flags.add_to(*command, *options);
  options->flags.option("clusters")->required();
  command->add_option("--central", options->central, "members to show, the most central ones")
      ->capture_default_str();
  command->add_option("-o,--output", options->output,
                      "a TSV file for the cluster of each example, and its distance");
  command->add_flag("--json", options->json, "print JSON");
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "Kernel k-means on the Gram matrix, or k-means on the vectors that --landmarks gives. Where\n"
      "all examples have a class, it is only used to say how well the clusters agree with it.\n\n"
      "Example:\n"
      "  espalier cluster -k 'norm(sst())' --clusters 6 examples/questions/train.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
