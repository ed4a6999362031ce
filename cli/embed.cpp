#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

#include "commands.hpp"
#include "components_plot.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/distributed/rows.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/embed/principal_components.hpp"
#include "espalier/embed/quantize.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/gram/fingerprint.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/matrix.hpp"
#include "espalier/model/model.hpp"
#include "output.hpp"
#include "parameters.hpp"
#include "reading.hpp"
#include "resume.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

enum class EmbedMethod { subtree, dtk, nystroem, pca, fragments, hashed_fragments };
constexpr std::array<const char*, 6> names_of(EmbedMethod) {
  return {"subtree", "dtk", "nystroem", "pca", "fragments", "hashed-fragments"};
}

/// What happens to vectors outside the range of single precision.
enum class OnError { stop, skip, zero };
constexpr std::array<const char*, 3> names_of(OnError) { return {"stop", "skip", "zero"}; }

struct EmbedCommand {
  EmbedMethod method = EmbedMethod::subtree;
  std::string data;
  std::string output;
  std::string kernel;
  std::string model;
  std::string fit;
  std::string from;
  std::string names;
  std::string tree;
  std::size_t components = 2;
  std::string plot;
  std::string scales;
  DistributedTreeOptions distributed;
  bool normalize = false;
  OnError on_error = OnError::stop;
  NystroemOptions nystroem;
  std::size_t top = 5000;
  bool binary = false;
  HashedFragmentOptions hashed;
  ParameterFlags flags;
  ResumeOption resume;
  ReadOptions read;
  WorkOptions work;

  static void describe(auto& self, auto&& field) {
    field(
        "method", self.method,
        "subtree: sparse, a column for each distinct subtree; dtk: distributed trees; nystroem: "
        "any kernel, by landmarks; pca: kernel PCA, exact if all examples are landmarks; "
        "fragments: "
        "sparse, a column for each of the heaviest fragments of a model; hashed-fragments: sparse, "
        "all fragments up to a size",
        {.common = true});
    field("kernel", self.kernel,
          "kernel expression; subtree: st(..), linear(..), their norms and sums",
          {.alias = "k", .users = "subtree, nystroem, pca, hashed-fragments", .common = true});
    field("from", self.from, "model whose fragments are the columns",
          {.users = "fragments", .common = true});
    field("top", self.top, "number of fragments of each class",
          {.range = {1}, .users = "fragments", .common = true});
    field("binary", self.binary,
          "write whether a fragment occurs, in rows of length 1, instead of its value",
          {.users = "fragments"});
    HashedFragmentOptions::describe(self.hashed, used_by("hashed-fragments", field));
    field("model", self.model, "use the kernel of this model, with its learned weights",
          {.users = "subtree, nystroem, pca"});
    field("fit", self.fit, "file to fit to, which determines the columns",
          {.users = "subtree, nystroem, pca", .common = true});
    field("names", self.names, "file for the column names", {.users = "subtree, fragments"});
    field("tree", self.tree, "name of the tree, if there are several", {.users = "dtk"});
    DistributedTreeOptions::describe(self.distributed, used_by("dtk", field));
    field("normalize", self.normalize, "scale each vector to length 1, which always fits",
          {.users = "dtk", .common = true});
    field("on_error", self.on_error,
          "vectors outside the range of single precision: stop, skip them (which computes all "
          "vectors twice), or write zeros; vectors of length 1 always fit",
          {.users = "dtk"});
    NystroemOptions::describe(self.nystroem, used_by("nystroem, pca", field));
    field("int8", self.scales,
          "quantise to one byte per number; this .npy file gets the scale of each row",
          {.users = "dtk, nystroem"});
    field("components", self.components, "number of components",
          {.range = {1, 1e6}, .users = "pca"});
    field("plot", self.plot,
          "scatter plot of the first two components, .svg or .html, coloured by class",
          {.users = "pca"});
    field("resume", self.resume.given,
          "keep finished rows in OUTPUT.part, and continue an interrupted run",
          {.users = "dtk, nystroem"});
  }
};

bool is_sparse(EmbedMethod method) {
  return method == EmbedMethod::subtree || method == EmbedMethod::fragments ||
         method == EmbedMethod::hashed_fragments;
}

FittedKernel kernel_of(const EmbedCommand& options) {
  if (!options.kernel.empty()) return Kernel(options.kernel);
  if (!options.model.empty()) return load_model(options.model).functions.kernel();
  if (options.method != EmbedMethod::subtree) {
    throw Error(
        fmt::format("--method {} needs a kernel: name one with -k", name_of(options.method)));
  }
  return Kernel("st()");
}

/// The suffix of the vectors. Throws Error if an output could not be written under its name.
std::string checked_suffix(const EmbedCommand& options) {
  check_outputs({options.output, options.names, options.scales, options.plot},
                {options.data, options.model, options.fit, options.from});
  if (!options.names.empty()) output_suffix(options.names, {".txt", ".tsv", ""});
  if (!options.scales.empty()) output_suffix(options.scales, {".npy"});
  if (!options.plot.empty()) output_suffix(options.plot, {".svg", ".html"});
  return is_sparse(options.method)
             ? output_suffix(options.output, {".svmlight", ".npz", ".libsvm", ".svm", ".txt", ""})
             : output_suffix(options.output, {".npy"});
}

/// Writes sparse rows, and the names of their columns.
void write_sparse(const EmbedCommand& options, const std::string& suffix, const Dataset& data,
                  const auto& features, const SparseMatrix& matrix, Sink& sink,
                  std::optional<Sink>& names) {
  if (suffix == ".npz") {
    write_npz(sink, matrix);
  } else {
    write_svmlight(sink, matrix, data);
  }
  for (std::size_t c = 0; names && c < features.columns(); ++c) {
    names->write(features.name(c) + "\n");
  }
  sink.commit();
  if (names) names->commit();
  tell(fmt::format("{}: {}, {}, {}", options.output, counted(matrix.rows(), "row"),
                   counted(matrix.columns(), "column"), counted(matrix.value_count(), "value")));
}

void embed_subtrees(const EmbedCommand& options, const std::string& suffix) {
  Sink sink(options.output);
  std::optional<Sink> names = open_if_named(options.names);
  ExplicitFeatures features(kernel_of(options));
  const Dataset data = read(options.data, options.read);
  features.fit(options.fit.empty() ? data : read(options.fit, options.read));
  write_sparse(options, suffix, data, features, features.transform(data), sink, names);
}

/// The columns of `--method fragments` and `hashed-fragments`.
FragmentFeatures fragment_features(const EmbedCommand& options, const Context& context) {
  if (options.method == EmbedMethod::hashed_fragments) return {kernel_of(options), options.hashed};
  if (options.from.empty()) {
    throw Error("--method fragments needs a model: name one with --from");
  }
  FragmentFeatures out = heaviest_features(load_model(options.from), {.top = options.top}, context);
  return options.binary ? out.binary() : out;
}

void embed_fragments(const EmbedCommand& options, const std::string& suffix) {
  Sink sink(options.output);
  std::optional<Sink> names = open_if_named(options.names);
  const Context context = options.work.context("embed");
  const FragmentFeatures features = fragment_features(options, context);
  const Dataset data = read(options.data, options.read);
  write_sparse(options, suffix, data, features, features.transform(data, context), sink, names);
}

template <class T>
std::string_view bytes_of(const Matrix<T>& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.rows() * rows.columns() * sizeof(T)};
}

/// Writes rows one after the other: as they are, or as bytes with a scale for each.
class RowWriter {
 public:
  explicit RowWriter(const EmbedCommand& options)
      : sink_(options.output), scales_(open_if_named(options.scales)) {}
  void start(std::size_t rows, std::size_t columns) {
    if (!scales_) {
      write_npy_header<float>(sink_, rows, columns);
    } else {
      write_npy_header<std::int8_t>(sink_, rows, columns);
      write_npy_header<float>(*scales_, rows, 1);
    }
  }
  void write(const Matrix<float>& rows) {
    if (!scales_) {
      sink_.write(bytes_of(rows));
      return;
    }
    const QuantizedRows bytes = quantize(rows);
    sink_.write(bytes_of(bytes.codes));
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

/// What the rows of an output are and how they come about.
struct Rows {
  std::size_t count = 0;
  std::size_t columns = 0;
  std::size_t together = 0;              ///< how many to compute at a time
  std::function<std::string()> request;  ///< what tells them from others
  std::function<Matrix<float>(std::size_t begin, std::size_t end, const Context& context)> compute;
};

/// Some rows after the other, so that the matrix need not fit the memory.
void write_all(const EmbedCommand& options, const Rows& rows, RowWriter& writer,
               const Context& context) {
  writer.start(rows.count, rows.columns);
  const auto part = options.resume.open(options.output, rows.request);
  Context quiet = context;
  quiet.progress = nullptr;
  std::size_t done = 0;
  if (part) {
    part->replay([&](std::uint64_t, std::string_view bytes) {
      Matrix<float> some(bytes.size() / (rows.columns * sizeof(float)), rows.columns);
      std::memcpy(some.data(), bytes.data(), bytes.size());
      writer.write(some);
      done += some.rows();
    });
  }
  while (done < rows.count) {
    const Matrix<float> some =
        rows.compute(done, std::min(done + rows.together, rows.count), quiet);
    if (part) part->append(done, bytes_of(some));
    writer.write(some);
    done += some.rows();
    if (context.progress) {
      context.progress(static_cast<double>(done) / static_cast<double>(rows.count));
    }
  }
  writer.commit();
  if (part) part->remove();
}

/// The name of an example in messages.
std::string name_of_example(const Dataset& data, std::size_t i) {
  const TextColumn* ids = ids_of(data);
  return ids == nullptr ? fmt::format("example {}", i + 1)
                        : fmt::format("example {} ({})", i + 1, ids->texts[i].value_or(""));
}

/// Distributed trees of the examples of a data set.
class DistributedRows {
 public:
  DistributedRows(const EmbedCommand& options, const Dataset& data)
      : options_(options),
        data_(data),
        column_(data.trees(options.tree)),
        forest_(data.forests()[column_.forest].value),
        embedding_(options.distributed) {}

  /// The rows of these examples, plain, and the examples that do not fit as they are.
  std::pair<Matrix<float>, std::vector<std::uint32_t>> compute(
      std::span<const std::uint32_t> examples, const Context& context) const {
    std::vector<TreeId> trees;
    for (const std::uint32_t i : examples) trees.push_back(column_.trees[i]);
    Matrix<float> rows(examples.size(), options_.distributed.dim);
    const auto exponents = embedding_.transform_scaled(forest_, trees, rows.data(), context);
    std::vector<std::uint32_t> outside;
    for (const std::size_t i : finish_rows(rows, exponents, options_.normalize)) {
      outside.push_back(examples[i]);
    }
    return {std::move(rows), std::move(outside)};
  }

  /// Throws Error or warns, as the user wishes.
  void report(const std::vector<std::uint32_t>& outside) const {
    if (outside.empty()) return;
    if (options_.on_error == OnError::stop) {
      throw Error(name_of_example(data_, outside[0]) +
                  ": its vector is outside the range of single precision; --normalize writes "
                  "vectors of length 1, which always fit, and --on-error skip or zero goes on");
    }
    std::vector<std::string> names;
    for (const std::uint32_t i : outside) {
      if (names.size() == 10) {
        names.emplace_back("..");
        break;
      }
      names.push_back(name_of_example(data_, i));
    }
    warn(fmt::format("{} outside the range of single precision, {}: {}",
                     counted(outside.size(), "vector"),
                     options_.on_error == OnError::skip ? "skipped" : "written as zeros",
                     fmt::join(names, ", ")));
  }

  std::string request() const {
    const DistributedTreeOptions& o = options_.distributed;
    return fmt::format("dtk {} {} {} {} {} {} {} {} {}\n{} {}", o.dim, o.decay, name_of(o.compose),
                       name_of(o.fragments), name_of(o.recipe), o.arity, o.seed, options_.normalize,
                       name_of(options_.on_error), to_string(column_.slot), fingerprint(data_));
  }

 private:
  const EmbedCommand& options_;
  const Dataset& data_;
  const TreeColumn& column_;
  const Forest& forest_;
  DistributedTrees embedding_;
};

/// The examples without those that do not fit.
std::vector<std::uint32_t> fitting(const DistributedRows& rows,
                                   const std::vector<std::uint32_t>& examples, std::size_t together,
                                   const Context& context) {
  std::vector<std::uint32_t> outside, out;
  for (std::size_t begin = 0; begin < examples.size(); begin += together) {
    const auto some =
        std::span(examples).subspan(begin, std::min(together, examples.size() - begin));
    const auto found = rows.compute(some, context).second;
    outside.insert(outside.end(), found.begin(), found.end());
  }
  rows.report(outside);
  std::ranges::set_difference(examples, outside, std::back_inserter(out));
  return out;
}

void embed_distributed(const EmbedCommand& options) {
  RowWriter writer(options);
  const Dataset data = read(options.data, options.read);
  const DistributedRows distributed(options, data);
  const std::size_t dimension = options.distributed.dim;
  const Context context = options.work.context("embed");
  // A run that is interrupted loses what was computed together.
  const std::size_t most =
      std::max<std::size_t>(1, context.memory / 4 / (sizeof(float) * dimension));
  const std::size_t together = options.resume.given ? std::min<std::size_t>(most, 256) : most;
  std::vector<std::uint32_t> examples(data.size());
  std::iota(examples.begin(), examples.end(), 0U);
  if (options.on_error == OnError::skip && !options.normalize) {
    examples = fitting(distributed, examples, together, context);
  }
  std::vector<std::uint32_t> zeros;
  const auto compute = [&](std::size_t begin, std::size_t end, const Context& quiet) {
    auto [rows, outside] =
        distributed.compute(std::span(examples).subspan(begin, end - begin), quiet);
    if (options.on_error == OnError::stop) distributed.report(outside);
    zeros.insert(zeros.end(), outside.begin(), outside.end());
    return std::move(rows);
  };
  write_all(options,
            {.count = examples.size(),
             .columns = dimension,
             .together = together,
             .request = [&] { return distributed.request(); },
             .compute = compute},
            writer, context);
  distributed.report(zeros);
  tell(fmt::format("{}: {}, {}", options.output, counted(examples.size(), "row"),
                   counted(dimension, "column")));
}

void embed_components(const EmbedCommand& options, const Dataset& data, const Nystroem& nystroem,
                      RowWriter& writer, std::optional<Sink>& plot, const Context& context) {
  const PrincipalComponents pca =
      principal_components(nystroem.transform(data, context), options.components, context);
  writer.start(pca.rows.rows(), pca.rows.columns());
  writer.write(pca.rows);
  writer.commit();
  if (plot) {
    const bool page = output_suffix(options.plot, {".svg", ".html"}) == ".html";
    finish(*plot, components_plot(page, options.data, data, pca));
  }
  std::string shares;
  for (const double ratio : pca.explained_variance_ratio)
    shares += fmt::format(" {:.1f} %", 100 * ratio);
  tell(fmt::format("{}: {}, {}, with{} of the variance; by {}", options.output,
                   counted(data.size(), "row"),
                   counted(pca.explained_variance_ratio.size(), "component"), shares,
                   counted(nystroem.chosen().size(), "landmark")));
}

/// Landmarks out of `known`.
Nystroem fitted(const EmbedCommand& options, const FittedKernel& kernel, const Dataset& data,
                const Dataset& known, const Context& context) {
  std::vector<std::uint32_t> classes;
  if (needs_classes(options.nystroem.policy)) {
    classes = rarest_classes(make_targets(known, Task::classification).classes);
  }
  Nystroem out(look_up_words(kernel, {&data, &known}, options.work), options.nystroem);
  out.fit(known, classes, context);
  return out;
}

void embed_by_landmarks(const EmbedCommand& options) {
  RowWriter writer(options);
  std::optional<Sink> plot = open_if_named(options.plot);
  const FittedKernel kernel = kernel_of(options);
  const Dataset data = read(options.data, options.read);
  const Context context = options.work.context("embed");
  std::optional<Dataset> other;
  if (!options.fit.empty()) other = read(options.fit, options.read);
  const Dataset& known = other ? *other : data;
  const Nystroem nystroem = fitted(options, kernel, data, known, context);
  if (options.method == EmbedMethod::pca) {
    embed_components(options, data, nystroem, writer, plot, context);
    return;
  }
  const auto request = [&] {
    return fmt::format("nystroem {}\n{}\n{}\n{}", fmt::join(nystroem.chosen(), " "),
                       fingerprint(nystroem.kernel()), fingerprint(data), fingerprint(known));
  };
  const auto compute = [&](std::size_t begin, std::size_t end, const Context& quiet) {
    if (end - begin == data.size()) return nystroem.transform(data, quiet);
    std::vector<std::uint32_t> some(end - begin);
    std::iota(some.begin(), some.end(), static_cast<std::uint32_t>(begin));
    return nystroem.transform(data.select(some), quiet);
  };
  write_all(options,
            {.count = data.size(),
             .columns = nystroem.rank(),
             .together = nystroem.rows_together(),
             .request = request,
             .compute = compute},
            writer, context);
  tell(fmt::format("{}: {}, {} by {}", options.output, counted(data.size(), "row"),
                   counted(nystroem.rank(), "column"),
                   counted(nystroem.chosen().size(), "landmark")));
}

}  // namespace

void add_embed(CLI::App& program) {
  auto* command = program.add_subcommand("embed", "Turn trees into vectors");
  auto options = std::make_shared<EmbedCommand>();
  command->add_option("data", options->data, "the examples: a row each")->required();
  command
      ->add_option(
          "-o,--output", options->output,
          "file to write; subtree and fragments: .npz for SciPy, or .svmlight; others: .npy")
      ->required();
  options->flags.add_to(*command, *options);
  options->flags.option("method")->required();
  options->flags.option("model")->excludes(options->flags.option("kernel"));
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "The dot product of two rows is the kernel of the two examples; of distributed trees it is\n"
      "an estimate of sst(lambda=..) / lambda, of nystroem an approximation.\n\n"
      "Examples:\n"
      "  espalier embed --method subtree -k 'norm(st(decay=0.5))' examples/questions/train.tsv "
      "-o train.npz\n"
      "  espalier embed --method dtk --dim 4096 examples/questions/train.tsv -o train.npy\n"
      "  espalier embed --method nystroem -k 'norm(pt())' --landmarks 200 "
      "--fit examples/questions/train.tsv examples/questions/test.tsv -o test.npy\n"
      "  espalier embed --method fragments --from q.model --top 1000 --names fragments.txt "
      "examples/questions/test.tsv -o test.npz\n"
      "  espalier embed --method hashed-fragments -k 'norm(sst())' --max-size 3 "
      "examples/questions/test.tsv -o test.svmlight\n"
      "  espalier embed --method pca -k 'norm(pt())' --plot questions.html "
      "examples/questions/train.tsv -o pca.npy");
  command->callback([options] {
    options->flags.check_use(name_of(options->method));
    const std::string suffix = checked_suffix(*options);
    if (options->method == EmbedMethod::subtree) return embed_subtrees(*options, suffix);
    if (is_sparse(options->method)) return embed_fragments(*options, suffix);
    if (options->method == EmbedMethod::dtk) return embed_distributed(*options);
    embed_by_landmarks(*options);
  });
}

}  // namespace espalier::cli
