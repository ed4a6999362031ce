#include "espalier/gram/gram.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/gram/fingerprint.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/matrix.hpp"
#include "help.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "resume.hpp"
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
  ResumeOption resume;
};

constexpr std::array formats_known = {"npy", "tsv", "libsvm"};

/// The format that the suffix of an output says; empty if it says none.
std::string format_of(const std::string& path) {
  const std::string suffix = suffix_of(path);
  for (const char* const format : formats_known) {
    if (suffix == std::string(".") + format) return format;
  }
  return {};
}

/// The format asked for, or as the suffix of the output says.
std::string output_format(const GramCommand& options) {
  std::string by_name = format_of(options.output);
  if (!by_name.empty() && !options.format.empty() && by_name != options.format) {
    throw Error(fmt::format("the name {} is of another format than --to {}: change one of them",
                            in_quotes(options.output), options.format));
  }
  if (!options.format.empty()) return options.format;
  if (!by_name.empty()) return by_name;
  throw Error(
      fmt::format("the name {} does not tell the format to write; name one with --to: "
                  "npy, tsv or libsvm",
                  in_quotes(options.output)));
}

/// What tells this matrix from others.
template <class T>
std::string request(std::span<const FittedKernel> kernels, const Dataset& rows,
                    const Dataset& columns) {
  std::string out = fmt::format("gram of {} bytes by blocks\n", sizeof(T));
  for (const FittedKernel& kernel : kernels) out += fingerprint(kernel) + "\n";
  return out + fingerprint(rows) + "\n" + fingerprint(columns);
}

/// Whether the output is what the matrices are computed in, without conversion.
bool is_npy_file(const std::string& output, const std::string& format) {
  return format == "npy" && !is_stream(output) && !output.ends_with(".gz");
}

/// A path in the folder for the file that the matrices are computed in.
std::string computed_in(const std::string& output) {
  if (!is_stream(output)) return output;
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed);
  if (failed) throw Error("no folder for a temporary file: set TMPDIR to one");
  return folder / "espalier.npy";
}

/// The file that the matrices are computed in. If there is no space for it, nothing is left behind.
template <class T>
std::unique_ptr<MatrixFile<T>> open_matrices(const std::string& output, const MatrixShape& shape,
                                             PartFile* part) {
  try {
    return std::make_unique<MatrixFile<T>>(computed_in(output), shape,
                                           part != nullptr ? output + ".part.npy" : "");
  } catch (const Error&) {
    if (part != nullptr && part->is_new()) part->remove();
    throw;
  }
}

template <class T>
void write_rows(const std::string& format, const MatrixFile<T>& matrices, const Dataset& rows,
                Sink& sink) {
  if (format == "npy") {
    write_npy(sink, matrices);
  } else if (format == "tsv") {
    write_tsv(sink, matrices);
  } else {
    write_libsvm(sink, matrices, rows);
  }
  sink.commit();
}

template <class T>
void compute(const GramCommand& options) {
  const auto kernels = sweep(options.kernel);
  const std::string format = output_format(options);
  if (kernels.size() > 1 && format != "npy") {
    throw Error(fmt::format("a sweep of {} kernels is an array of matrices, which only npy holds",
                            kernels.size()));
  }
  check_outputs({options.output}, {options.train, options.test});
  // Opened before the work, so that a wrong path is known before it.
  Sink sink(options.output);
  const Dataset train = read(options.train, options.read);
  std::optional<Dataset> test;
  if (!options.test.empty()) test = read(options.test, options.read);
  const Dataset& rows = test ? *test : train;
  const auto complete = look_up_words(kernels, {&train, &rows}, options.work);
  const auto part =
      options.resume.open(options.output, [&] { return request<T>(complete, rows, train); });
  const auto matrices =
      open_matrices<T>(options.output, {complete.size(), rows.size(), train.size()}, part.get());
  gram_into<T>(complete, rows, test ? &train : nullptr, *matrices, options.work.context("gram"),
               part.get());
  if (is_npy_file(options.output, format)) {
    matrices->commit();
  } else {
    write_rows<T>(format, *matrices, rows, sink);
    matrices->remove();
  }
  if (part) part->remove();
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
  options->resume.add_to(*command, "what is finished in OUTPUT.part and OUTPUT.part.npy");
  options->work.add_to(*command);
  add_details(*command, describe_kernels());
  command->footer(
      "A list in place of a number, as in sst(lambda={0.2,0.4}), is a sweep: all matrices are\n"
      "computed in one pass and written as one npy array (kernel, row, column).\n"
      "Matrices are computed in the output file and need not fit memory; for other outputs than\n"
      "uncompressed npy files, in a temporary file beside the output, or in TMPDIR for streams.\n\n"
      "Examples:\n"
      "  espalier gram -k 'norm(sst(lambda=0.4))' examples/questions/train.tsv -o train.npy\n"
      "  espalier gram -k 'norm(pt())' examples/questions/train.tsv examples/questions/test.tsv "
      "-o test.npy");
  command->callback(
      [options] { options->single ? compute<float>(*options) : compute<double>(*options); });
}

}  // namespace espalier::cli
