#include "espalier/gram/gram.hpp"

#include <fmt/format.h>

#include <array>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/matrix.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct GramCommand {
  std::string kernel;
  std::string train;
  std::string test;
  std::string output;
  std::string format;
  bool single = false;
  ReadOptions read;
  WorkOptions work;
};

constexpr std::array formats_known = {"npy", "tsv", "libsvm"};

/// The format asked for, or as the suffix of the output says.
std::string output_format(const GramCommand& options) {
  if (!options.format.empty()) return options.format;
  std::string_view path = options.output;
  if (path.ends_with(".gz")) path.remove_suffix(3);
  for (const char* const format : formats_known) {
    if (path.ends_with(std::string(".") + format)) return format;
  }
  throw Error(
      fmt::format("the name {} does not tell the format to write; name one with --to: "
                  "npy, tsv or libsvm",
                  in_quotes(options.output)));
}

template <class T>
void write_matrices(const std::string& format, std::span<const Matrix<T>> matrices,
                    const Dataset& rows, Sink& sink) {
  if (format == "npy") {
    write_npy(sink, matrices);
  } else if (format == "tsv") {
    write_tsv(sink, matrices[0]);
  } else {
    write_libsvm(sink, matrices[0], rows);
  }
  sink.commit();
}

template <class T>
void compute(const GramCommand& options) {
  const auto kernels = parse_sweep(options.kernel);
  const std::string format = output_format(options);
  if (kernels.size() > 1 && format != "npy") {
    throw Error(fmt::format("a sweep of {} kernels is an array of matrices, which only npy holds",
                            kernels.size()));
  }
  const Dataset train = read(options.train, options.read);
  // Opened before the work, so that a wrong path is known before it.
  Sink sink(options.output);
  if (options.test.empty()) {
    const auto complete = look_up_words(kernels, {&train}, options.work);
    const auto matrices =
        gram<T>(std::span<const Kernel>(complete), train, options.work.context("gram"));
    write_matrices<T>(format, matrices, train, sink);
  } else {
    const Dataset test = read(options.test, options.read);
    const auto complete = look_up_words(kernels, {&train, &test}, options.work);
    const auto matrices =
        gram<T>(std::span<const Kernel>(complete), test, train, options.work.context("gram"));
    write_matrices<T>(format, matrices, test, sink);
  }
}

}  // namespace

void add_gram(CLI::App& program) {
  auto* command = program.add_subcommand("gram", "Compute a matrix of kernel values");
  auto options = std::make_shared<GramCommand>();
  command->add_option("-k,--kernel", options->kernel, "the kernel expression")->required();
  command->add_option("train", options->train, "the examples: rows and columns")->required();
  command->add_option("test", options->test,
                      "other examples: the rows; train are the columns then");
  command->add_option("-o,--output", options->output, "the file to write")->required();
  command->add_option("--to", options->format, "npy, tsv or libsvm, if not as the suffix says")
      ->check(CLI::IsMember(std::vector<std::string>(formats_known.begin(), formats_known.end())));
  command->add_flag("--float32", options->single, "single precision output, half the size");
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      describe_kernels() +
      "\nA list in place of a number, as in sst(lambda={0.2,0.4}), is a sweep: all matrices are\n"
      "computed in one pass and written as one npy array (kernel, row, column).\n\n"
      "Examples:\n"
      "  espalier gram -k 'norm(sst(lambda=0.4))' examples/questions/train.tsv -o train.npy\n"
      "  espalier gram -k 'norm(pt())' examples/questions/train.tsv examples/questions/test.tsv "
      "-o test.npy");
  command->callback(
      [options] { options->single ? compute<float>(*options) : compute<double>(*options); });
}

}  // namespace espalier::cli
