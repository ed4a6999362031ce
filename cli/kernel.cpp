#include <fmt/compile.h>
#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/io/format.hpp"
#include "help.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct KernelCommand {
  std::string kernel;
  std::string a;
  std::string b;
  std::string output = "-";
  bool aligned = false;
  ReadOptions read;
  WorkOptions work;
};

/// The ids of both sides, if any has them.
struct PairIds {
  const TextColumn* a = nullptr;
  const TextColumn* b = nullptr;

  PairIds(const Dataset& first, const Dataset& second) : a(ids_of(first)), b(ids_of(second)) {}
  bool any() const { return a != nullptr || b != nullptr; }
  std::string cells(std::size_t i, std::size_t j) const {
    if (!any()) return {};
    return "\t" + cell_of(a, i) + "\t" + cell_of(b, j);
  }

 private:
  static std::string cell_of(const TextColumn* ids, std::size_t i) {
    return ids == nullptr ? "" : ids->texts[i].value_or("");
  }
};

std::string heading(std::span<const FittedKernel> kernels, const PairIds& ids) {
  std::string out = ids.any() ? "a\tb\tid_a\tid_b" : "a\tb";
  for (const FittedKernel& kernel : kernels) out += "\t" + kernel.to_string();
  return out + "\n";
}

void append_row(std::string& out, std::size_t i, std::size_t j, const PairIds& ids) {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}\t{}"), i + 1, j + 1);
  out += ids.cells(i, j);
}

void append_value(std::string& out, double value) {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("\t{}"), value);
}

void print_aligned(const KernelCommand& options, std::span<const FittedKernel> kernels,
                   const Dataset& a, const Dataset& b, Sink& sink) {
  const PairIds ids(a, b);
  std::vector<std::vector<double>> values;
  for (const FittedKernel& kernel : kernels) {
    values.push_back(aligned(kernel, a, b, options.work.context("kernel")));
  }
  std::string line;
  for (std::size_t i = 0; i < a.size(); ++i) {
    line.clear();
    append_row(line, i, i, ids);
    for (const auto& column : values) append_value(line, column[i]);
    sink.write(line + "\n");
  }
}

/// Of one data set each pair once, of two all pairs.
void print_all(const KernelCommand& options, std::span<const FittedKernel> kernels,
               const Dataset& a, const Dataset* b, Sink& sink) {
  const PairIds ids(a, b == nullptr ? a : *b);
  const Context context = options.work.context("kernel");
  const auto matrices = b == nullptr ? gram(kernels, a, context) : gram(kernels, a, *b, context);
  std::string line;
  for (std::size_t i = 0; i < matrices[0].rows(); ++i) {
    line.clear();
    for (std::size_t j = b == nullptr ? i : 0; j < matrices[0].columns(); ++j) {
      append_row(line, i, j, ids);
      for (const auto& matrix : matrices) append_value(line, matrix(i, j));
      line += '\n';
    }
    sink.write(line);
  }
}

void run(const KernelCommand& options) {
  auto kernels = sweep(options.kernel);
  output_suffix(options.output, {".tsv", ".txt", ""});
  check_outputs({options.output}, {options.a, options.b});
  Sink sink(options.output);
  const Dataset a = read(options.a, options.read);
  std::optional<Dataset> b;
  if (!options.b.empty()) b = read(options.b, options.read);
  kernels = look_up_words(kernels, {&a, b ? &*b : &a}, options.work);
  sink.write(heading(kernels, PairIds(a, b ? *b : a)));
  if (options.aligned) {
    print_aligned(options, kernels, a, b ? *b : a, sink);
  } else {
    print_all(options, kernels, a, b ? &*b : nullptr, sink);
  }
  sink.commit();
}

}  // namespace

void add_kernel(CLI::App& program) {
  auto* command = program.add_subcommand("kernel", "Print kernel values of pairs of examples");
  auto options = std::make_shared<KernelCommand>();
  command->add_option("-k,--kernel", options->kernel, "the kernel expression")->required();
  command->add_option("a", options->a, "the examples")->required();
  command->add_option("b", options->b, "other examples to compare them with");
  command->add_option("-o,--output", options->output, "the file to write")->capture_default_str();
  command->add_flag("--aligned", options->aligned,
                    "only the pairs in the same place of a and b; without b, each with itself");
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  add_details(*command, describe_kernels());
  command->footer(
      "Prints a line for each pair: the places in a and b, counted from 1, their ids if they have\n"
      "any, and the value.\n\n"
      "Example: how similar are the first questions?\n"
      "  espalier kernel -k 'norm(sst(lambda={0.2,0.4}))' examples/formats/questions.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
