#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/embed/principal_components.hpp"
#include "espalier/embed/quantize.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/matrix.hpp"
#include "espalier/model/model.hpp"
#include "landmarks.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct EmbedCommand {
  std::string method;
  std::string data;
  std::string output;
  ReadOptions read;
  WorkOptions work;

  // subtree, nystrom
  std::string kernel;
  std::string model;
  std::string fit;
  std::string names;
  LandmarkOptions landmarks{.landmarks = 500};

  // dtk
  std::string tree;
  DistributedTreeOptions distributed;

  // pca
  std::size_t components = 2;
  std::string plot;

  // dtk, nystrom, pca
  std::uint64_t seed = 1;
  std::string scales;
};

const std::map<std::string, Composition> compositions = {{"product", Composition::product},
                                                         {"convolution", Composition::convolution}};
const std::map<std::string, DistributedFragments> fragment_kinds = {
    {"subset-trees", DistributedFragments::subset_trees},
    {"subtrees", DistributedFragments::subtrees},
    {"subpaths", DistributedFragments::subpaths}};

/// The options that not all methods have, and the methods that have them.
struct SpecialOption {
  const char* name;
  std::string_view methods;
};
constexpr std::array special_options = {SpecialOption{"--kernel", "subtree, nystrom or pca"},
                                        SpecialOption{"--model", "subtree, nystrom or pca"},
                                        SpecialOption{"--fit", "subtree, nystrom or pca"},
                                        SpecialOption{"--names", "subtree"},
                                        SpecialOption{"--landmarks", "nystrom or pca"},
                                        SpecialOption{"--policy", "nystrom or pca"},
                                        SpecialOption{"--sets", "nystrom or pca"},
                                        SpecialOption{"--set-weights", "nystrom or pca"},
                                        SpecialOption{"--components", "pca"},
                                        SpecialOption{"--plot", "pca"},
                                        SpecialOption{"--tree", "dtk"},
                                        SpecialOption{"--dim", "dtk"},
                                        SpecialOption{"--lambda", "dtk"},
                                        SpecialOption{"--compose", "dtk"},
                                        SpecialOption{"--fragments", "dtk"},
                                        SpecialOption{"--seed", "dtk, nystrom or pca"},
                                        SpecialOption{"--int8", "dtk or nystrom"}};

/// Throws Error if an option was given that the method does not have.
void check_options(const CLI::App& command, const std::string& method) {
  for (const auto& [name, methods] : special_options) {
    if (command.get_option(name)->count() == 0 || methods.find(method) != methods.npos) continue;
    throw Error(fmt::format("{} is an option of --method {}", name, methods));
  }
}

Kernel kernel_of(const EmbedCommand& options) {
  if (!options.kernel.empty()) return Kernel(options.kernel);
  if (!options.model.empty()) return load_model(options.model).functions.kernel();
  if (options.method != "subtree") {
    throw Error("--method " + options.method + " needs a kernel: name one with -k");
  }
  return Kernel("st()");
}

void write_names(const ExplicitFeatures& features, const std::string& path) {
  Sink sink(path);
  for (std::size_t c = 0; c < features.columns(); ++c) sink.write(features.name(c) + "\n");
  sink.commit();
}

void embed_subtrees(const EmbedCommand& options) {
  if (options.output.ends_with(".npy")) {
    throw Error("features of subtrees are sparse: write a .npz, or another name for svmlight");
  }
  ExplicitFeatures features(kernel_of(options));
  const Dataset data = read(options.data, options.read);
  Sink sink(options.output);
  features.fit(options.fit.empty() ? data : read(options.fit, options.read));
  const SparseMatrix matrix = features.transform(data);
  if (options.output.ends_with(".npz")) {
    write_npz(sink, matrix);
  } else {
    write_svmlight(sink, matrix, data);
  }
  sink.commit();
  if (!options.names.empty()) write_names(features, options.names);
  fmt::print(stderr, "{}: {}, {}, {}\n", options.output, counted(matrix.rows(), "row"),
             counted(matrix.columns(), "column"), counted(matrix.value_count(), "value"));
}

template <class T>
void write_rows(Sink& sink, const Matrix<T>& rows) {
  sink.write(
      {reinterpret_cast<const char*>(rows.data()), rows.rows() * rows.columns() * sizeof(T)});
}

/// Writes rows one after the other: as they are, or as bytes with a scale for each.
class RowWriter {
 public:
  RowWriter(const EmbedCommand& options, std::size_t rows, std::size_t columns)
      : sink_(options.output) {
    if (options.scales.empty()) {
      write_npy_header<float>(sink_, rows, columns);
    } else {
      write_npy_header<std::int8_t>(sink_, rows, columns);
      scales_.emplace(options.scales);
      write_npy_header<float>(*scales_, rows, 1);
    }
  }
  void write(const Matrix<float>& rows) {
    if (!scales_) {
      write_rows(sink_, rows);
      return;
    }
    const QuantizedRows bytes = quantize(rows);
    write_rows(sink_, bytes.codes);
    scales_->write(
        {reinterpret_cast<const char*>(bytes.scales.data()), bytes.scales.size() * sizeof(float)});
  }
  void commit() {
    sink_.commit();
    if (scales_) scales_->commit();
  }

 private:
  Sink sink_;
  std::optional<Sink> scales_;
};

/// Some rows after the other, so that the matrix need not fit the memory.
void embed_distributed(const EmbedCommand& options) {
  if (options.output.ends_with(".npz")) throw Error("distributed trees are dense: write a .npy");
  DistributedTreeOptions distributed = options.distributed;
  distributed.seed = options.seed;
  const DistributedTrees embedding(distributed);
  const Dataset data = read(options.data, options.read);
  const TreeColumn& column = data.trees(options.tree);
  const Forest& forest = data.forests()[column.forest].value;
  const std::size_t dimension = options.distributed.dimension;
  const Context context = options.work.context("embed");
  Context quiet = context;
  quiet.progress = nullptr;
  RowWriter writer(options, data.size(), dimension);
  const std::size_t together =
      std::max<std::size_t>(1, context.memory / 4 / (sizeof(float) * dimension));
  for (std::size_t begin = 0; begin < data.size(); begin += together) {
    Matrix<float> rows(std::min(together, data.size() - begin), dimension);
    embedding.transform(forest, std::span(column.trees).subspan(begin, rows.rows()), rows.data(),
                        quiet);
    writer.write(rows);
    if (context.progress) {
      context.progress(static_cast<double>(begin + rows.rows()) / static_cast<double>(data.size()));
    }
  }
  writer.commit();
  fmt::print(stderr, "{}: {}, {}\n", options.output, counted(data.size(), "row"),
             counted(dimension, "column"));
}

/// The vectors of the data by landmarks of it, or of the data to fit.
Matrix<float> landmark_vectors(const EmbedCommand& options, const Dataset& data,
                               std::size_t& landmarks) {
  if (options.output.ends_with(".npz")) throw Error("these vectors are dense: write a .npy");
  Nystroem nystroem(kernel_of(options), *options.landmarks.options(options.seed));
  const Context context = options.work.context("embed");
  std::optional<Dataset> other;
  if (!options.fit.empty()) other = read(options.fit, options.read);
  const Dataset& known = other ? *other : data;
  std::vector<std::uint32_t> classes;
  if (options.landmarks.policy == LandmarkPolicy::classwise) {
    classes = rarest_classes(make_targets(known, Task::classes).classes);
  }
  nystroem.fit(known, classes, context);
  landmarks = nystroem.chosen().size();
  return nystroem.transform(data, context);
}

void embed_by_landmarks(const EmbedCommand& options) {
  const Dataset data = read(options.data, options.read);
  std::size_t landmarks = 0;
  const Matrix<float> rows = landmark_vectors(options, data, landmarks);
  RowWriter writer(options, rows.rows(), rows.columns());
  writer.write(rows);
  writer.commit();
  fmt::print(stderr, "{}: {}, {} by {}\n", options.output, counted(rows.rows(), "row"),
             counted(rows.columns(), "column"), counted(landmarks, "landmark"));
}

void write_plot(const EmbedCommand& options, const Dataset& data, const PrincipalComponents& pca) {
  ScatterOptions scatter;
  scatter.title = options.data;
  for (std::size_t c = 0; c < pca.shares.size(); ++c) {
    scatter.axes.push_back(
        fmt::format("component {}: {:.1f} % of the variance", c + 1, 100 * pca.shares[c]));
  }
  const bool labelled = data.size() > 0 && !data.labels(0).empty();
  if (labelled) {
    const Targets targets = make_targets(data, Task::classes);
    scatter.classes = targets.names;
    scatter.groups = rarest_classes(targets.classes);
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string text = shown_text(data.example(i));
    scatter.texts.push_back(
        labelled ? fmt::format("{}: {}", scatter.classes[scatter.groups[i]], text) : text);
  }
  Sink sink(options.plot);
  sink.write(options.plot.ends_with(".html") ? scatter_page(pca.rows, scatter)
                                             : scatter_svg(pca.rows, scatter));
  sink.commit();
}

void embed_components(const EmbedCommand& options) {
  const Dataset data = read(options.data, options.read);
  std::size_t landmarks = 0;
  const PrincipalComponents pca =
      principal_components(landmark_vectors(options, data, landmarks), options.components,
                           options.work.context("components"));
  RowWriter writer(options, pca.rows.rows(), pca.rows.columns());
  writer.write(pca.rows);
  if (!options.plot.empty()) write_plot(options, data, pca);
  writer.commit();
  std::string shares;
  for (const double share : pca.shares) shares += fmt::format(" {:.1f} %", 100 * share);
  fmt::print(stderr, "{}: {}, {}, with{} of the variance; by {}\n", options.output,
             counted(data.size(), "row"), counted(pca.shares.size(), "component"), shares,
             counted(landmarks, "landmark"));
}

}  // namespace

void add_embed(CLI::App& program) {
  auto* command = program.add_subcommand("embed", "Turn trees into vectors");
  auto options = std::make_shared<EmbedCommand>();
  command->add_option("data", options->data, "the examples: a row each")->required();
  command
      ->add_option("--method", options->method,
                   "subtree: sparse, a column for each distinct subtree; dtk: dense distributed "
                   "trees; nystrom: dense, any kernel, by comparing with landmarks; pca: the "
                   "principal components of these, exact with as many landmarks as examples")
      ->required()
      ->check(CLI::IsMember({"subtree", "dtk", "nystrom", "pca"}));
  command
      ->add_option(
          "-o,--output", options->output,
          "the file to write; subtree: .npz for SciPy, else the svmlight format; others: npy")
      ->required();
  add_read_options(*command, options->read);
  auto* kernel = command->add_option(
      "-k,--kernel", options->kernel,
      "subtree: st(..), linear(..), their norms and sums [st()]; nystrom, pca: any");
  command
      ->add_option("--model", options->model,
                   "subtree, nystrom, pca: the kernel of this model, with learned weights")
      ->excludes(kernel);
  command->add_option("--fit", options->fit,
                      "subtree, nystrom, pca: examples that say which columns there are");
  command->add_option("--names", options->names, "subtree: a file for the names of the columns");
  command->add_option("--tree", options->tree, "dtk: the name of the tree, if there are several");
  command->add_option("--dim", options->distributed.dimension, "dtk: numbers in a vector")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str();
  command->add_option("--lambda", options->distributed.decay, "dtk: decay")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--compose",
          [options](const std::string& name) {
            options->distributed.compose = compositions.at(name);
          },
          "dtk: product [default] or convolution")
      ->check(CLI::IsMember(compositions));
  command
      ->add_option_function<std::string>(
          "--fragments",
          [options](const std::string& name) {
            options->distributed.fragments = fragment_kinds.at(name);
          },
          "dtk: subset-trees [default], subtrees or subpaths")
      ->check(CLI::IsMember(fragment_kinds));
  command
      ->add_option("--seed", options->seed,
                   "of the vectors of labels, or of the choice of landmarks")
      ->capture_default_str();
  command->add_option(
      "--int8", options->scales,
      "dtk, nystrom: one byte a number; this file, npy too, gets the scale of each row");
  command->add_option("--components", options->components, "pca: how many")
      ->check(above_zero)
      ->capture_default_str();
  command->add_option("--plot", options->plot,
                      "pca: a picture of the first two, .svg or .html, coloured by class");
  options->landmarks.add_to(*command, "nystrom, pca: ");
  options->work.add_to(*command);
  command->footer(
      "The dot product of two rows is the kernel of the two examples; of distributed trees it is\n"
      "an estimate of sst(lambda=..) / lambda, of nystrom an approximation.\n\n"
      "Examples:\n"
      "  espalier embed --method subtree -k 'norm(st(decay=0.5))' examples/questions/train.tsv "
      "-o train.npz\n"
      "  espalier embed --method dtk --dim 4096 examples/questions/train.tsv -o train.npy\n"
      "  espalier embed --method nystrom -k 'norm(pt())' --landmarks 200 "
      "--fit examples/questions/train.tsv examples/questions/test.tsv -o test.npy\n"
      "  espalier embed --method pca -k 'norm(pt())' --plot questions.html "
      "examples/questions/train.tsv -o pca.npy");
  command->callback([options, command] {
    check_options(*command, options->method);
    if (options->method == "subtree") embed_subtrees(*options);
    if (options->method == "dtk") embed_distributed(*options);
    if (options->method == "nystrom") embed_by_landmarks(*options);
    if (options->method == "pca") embed_components(*options);
  });
}

}  // namespace espalier::cli
