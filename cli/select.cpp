#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/select_labels.hpp"
#include "json.hpp"
#include "output.hpp"
#include "parameters.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct SelectCommand {
  std::string kernel;
  std::string data;
  std::string measured;
  std::string output = "-";
  bool json = false;
  SelectOptions labels;
  ParameterFlags label_flags;
  ReadOptions read;
  WorkOptions work;
};

/// A label as a field of a TSV file.
std::string field(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return out;
}

std::string table(const SelectedLabels& choice) {
  std::string out = "label\tgain\tcost\tselected\n";
  for (const LabelGain& each : choice.labels) {
    out += fmt::format("{}\t{:.4g}\t{:.4g}\t{}\n", field(each.label), each.gain, each.cost,
                       each.selected ? "yes" : "no");
  }
  return out + choice.kernel.to_string() + "\n";
}

std::string summary(const SelectedLabels& choice) {
  std::size_t selected = 0;
  double cost = 0;
  for (const LabelGain& each : choice.labels) {
    if (!each.selected) continue;
    ++selected;
    cost += each.cost;
  }
  return fmt::format("{} of {} selected, {:.1f} % of the expected cost, on {}", selected,
                     counted(choice.labels.size(), "label"), 100 * cost,
                     counted(choice.sample.size(), "example"));
}

std::string to_text(const SelectionEffect& effect) {
  std::string out = fmt::format("Gram matrix: {:.3g} s instead of {:.3g} s, {:.1f} times as fast",
                                effect.seconds_selected, effect.seconds, effect.speed_up());
  if (effect.correlation) out += fmt::format("; correlation {:.4f}", *effect.correlation);
  if (effect.accuracy) {
    out += fmt::format("; accuracy {:.1f} % instead of {:.1f} %", 100 * *effect.accuracy_selected,
                       100 * *effect.accuracy);
  }
  return out;
}

void run(const SelectCommand& options) {
  if (options.json) {
    output_suffix(options.output, {".json", ""});
  } else {
    output_suffix(options.output, {".tsv", ".txt", ""});
  }
  if (options.work.quiet && !options.measured.empty()) {
    throw Error("--quiet measures nothing: leave it out, or --measure");
  }
  check_outputs({options.output}, {options.data, options.measured});
  const FittedKernel kernel{Kernel(options.kernel)};
  Sink output(options.output);
  const Dataset data = read(options.data, options.read);
  const Context context = options.work.context("select");
  const SelectedLabels choice = select_labels(kernel, data, options.labels, context);
  std::optional<SelectionEffect> effect;
  if (!options.work.quiet) {
    const Dataset measured =
        options.measured.empty() ? data.view(choice.sample) : read(options.measured, options.read);
    effect = compare_kernels(kernel, choice.kernel, measured, context);
  }
  if (options.json) {
    Json out = {{"kernel", choice.kernel.to_string()}, {"labels", to_json(choice.labels)}};
    if (effect) out["effect"] = to_json(*effect);
    finish(output, json_text(out));
  } else {
    finish(output, table(choice));
  }
  if (!effect) return;
  tell(summary(choice));
  tell(to_text(*effect));
}

}  // namespace

void add_select(CLI::App& program) {
  auto* command = program.add_subcommand(
      "select", "Choose labels for an approximate tree kernel, which is faster on large trees");
  auto options = std::make_shared<SelectCommand>();
  command
      ->add_option("-k,--kernel", options->kernel, "the kernel expression, with sst, pt, .. in it")
      ->required();
  command->add_option("data", options->data, "the examples")->required();
  command->add_option("-o,--output", options->output, "the file to write [standard output]");
  command->add_option("--measure", options->measured,
                      "other examples on which to measure speed and accuracy [the sample]");
  command->add_flag("--json", options->json, "print JSON");
  options->label_flags.add_to(*command, options->labels);
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "Prints the labels, those with the largest gain by cost first, and in the last line the\n"
      "kernel that compares only nodes with the selected ones. The gain of a label is its part of\n"
      "the mean kernel of two examples, or, supervised, of that within the classes minus that\n"
      "between them; its cost is its part of all pairs of nodes with equal labels. What this gains "
      "in\n"
      "speed and loses in accuracy is measured, unless --quiet, and goes to standard error.\n\n"
      "Examples:\n"
      "  espalier select -k 'norm(sst())' --top 10 examples/questions/train.tsv\n"
      "  K=$(espalier select -k 'norm(pt())' --supervised pages.tsv --quiet | tail -1)\n"
      "  espalier train -k \"$K\" pages.tsv -o pages.model");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
