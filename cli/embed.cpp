#include "embed.hpp"

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

namespace {

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
