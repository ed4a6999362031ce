#include "learning.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "espalier/base/number.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

const std::map<std::string, Learner> learners = {{"svm", Learner::svm},
                                                 {"linear", Learner::linear},
                                                 {"kda", Learner::kda},
                                                 {"perceptron", Learner::perceptron},
                                                 {"pa", Learner::passive_aggressive}};
const std::map<std::string, MultiClass> strategies = {{"one-vs-rest", MultiClass::one_vs_rest},
                                                      {"one-vs-one", MultiClass::one_vs_one}};
const std::map<std::string, Task> tasks = {{"classification", Task::classification},
                                           {"regression", Task::regression},
                                           {"one-class", Task::one_class}};
const std::map<std::string, OnlineRule> rules = {{"pa", OnlineRule::passive_aggressive},
                                                 {"pa1", OnlineRule::passive_aggressive_1},
                                                 {"pa2", OnlineRule::passive_aggressive_2}};
const std::map<std::string, LinearLoss> losses = {{"hinge", LinearLoss::hinge},
                                                  {"squared", LinearLoss::squared_hinge}};
const std::map<std::string, StepLengths> step_lengths = {{"constant", StepLengths::constant},
                                                         {"linear", StepLengths::linear}};

struct Owned {
  const char* option;
  std::vector<Learner> learners;
};
/// Options that do not count for every learner. Landmarks look after their own.
const std::vector<Owned> owned = [] {
  using enum Learner;
  return std::vector<Owned>{{"-C", {svm, linear}},
                            {"--class-weight", {svm, linear}},
                            {"--multi-class", {svm, linear}},
                            {"--probabilities", {svm, linear}},
                            {"--tolerance", {svm, linear}},
                            {"--epsilon", {svm, linear, passive_aggressive}},
                            {"--nu", {svm}},
                            {"--loss", {linear}},
                            {"--hidden", {kda}},
                            {"--dropout", {kda}},
                            {"--input-dropout", {kda}},
                            {"--l2", {kda}},
                            {"--learning-rate", {kda}},
                            {"--steps", {kda}},
                            {"--batch", {kda}},
                            {"--patience", {kda}},
                            {"--development", {kda}},
                            {"--train-projection", {kda}},
                            {"--epochs", {kda, perceptron, passive_aggressive}},
                            {"--in-order", {perceptron, passive_aggressive}},
                            {"--budget", {perceptron, passive_aggressive}},
                            {"--rule", {passive_aggressive}},
                            {"--aggressiveness", {passive_aggressive}}};
}();

std::string name_of(Learner learner) {
  return std::ranges::find(learners, learner, &decltype(learners)::value_type::second)->first;
}

bool is_given(const CLI::App& command, const std::string& option) {
  const CLI::Option* const known = command.get_option_no_throw(option);
  return known != nullptr && known->count() > 0;
}

/// Throws Error if an option was given that is not one of the learner.
void check_owners(const CLI::App& command, Learner learner) {
  for (const auto& [option, owners] : owned) {
    if (!is_given(command, option) || std::ranges::find(owners, learner) != owners.end()) continue;
    std::string names;
    for (const Learner owner : owners) names += (names.empty() ? "" : ", ") + name_of(owner);
    throw Error(std::string(option) + " is for --learner " + names + ", not for " +
                name_of(learner));
  }
}

template <class T>
void add_choice(CLI::App& command, const std::string& name, T& value,
                const std::map<std::string, T>& names, const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&value, &names](const std::string& text) { value = names.at(text); }, help)
      ->check(CLI::IsMember(names));
}

/// "A=2,B=0.5".
std::vector<std::pair<std::string, double>> parse_weights(const std::string& text) {
  std::vector<std::pair<std::string, double>> out;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const std::size_t equals = part.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_number(part.substr(equals + 1));
    if (!weight || *weight <= 0) {
      throw Error("--class-weight takes none, balanced, or LABEL=weight,.. with weights above 0; " +
                  in_quotes(part) + " is none of these");
    }
    out.emplace_back(part.substr(0, equals), *weight);
  }
  return out;
}

/// "600,300", or "none".
std::vector<std::size_t> parse_widths(const std::string& text) {
  std::vector<std::size_t> out;
  if (text == "none") return out;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const auto width = parse_number(part);
    if (!width || *width < 1 || *width > 1e6 || *width != std::floor(*width)) {
      throw Error("--hidden takes none, or widths above 0 as 600,300; " + in_quotes(part) +
                  " is none of these");
    }
    out.push_back(static_cast<std::size_t>(*width));
  }
  return out;
}

}  // namespace

void LearningOptions::add_to(CLI::App& command, bool cost) {
  command_ = &command;
  add_choice(command, "--learner", train.learner, learners,
             "svm [default], linear (on explicit features or landmarks: no Gram matrix), kda (a "
             "network on "
             "landmarks), perceptron or pa (passive-aggressive)");
  command
      .add_option_function<std::string>(
          "--task", [this](const std::string& text) { train.task = tasks.at(text); },
          "classification, regression or one-class; by default what the labels suggest")
      ->check(CLI::IsMember(tasks));
  if (cost) {
    command
        .add_option("-C,--C", train.classifier.cost,
                    "svm, linear: what an error costs against the margin")
        ->check(above_zero)
        ->capture_default_str();
  }
  command
      .add_option("--class-weight", class_weight,
                  "svm, linear: none, balanced, or LABEL=weight,.. as factors of C")
      ->capture_default_str();
  add_choice(command, "--multi-class", train.classifier.multi_class, strategies,
             "svm, linear: one-vs-rest [default] or one-vs-one");
  add_choice(command, "--loss", train.loss, losses,
             "linear: hinge [default], or squared: it weighs large errors more");
  command.add_flag("--probabilities", train.probabilities, "svm, linear: learn probabilities too");
  command.add_option("--epsilon", train.epsilon, "numbers: errors up to this cost nothing")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--nu", train.nu, "one-class: largest fraction of training examples outside")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--tolerance", train.classifier.solver.tolerance, "svm, linear: when to stop")
      ->check(above_zero)
      ->capture_default_str();
  landmarks.add_to(command, "linear, kda: any kernel; ");
  add_network_options(command);
  command
      .add_option("--epochs", epochs,
                  "online: how often each example is seen [5]; kda: the same, at most [500]")
      ->check(above_zero);
  command.add_flag("!--in-order", train.shuffle, "online: take the examples as they stand");
  command.add_option("--budget", train.budget, "online: most examples with a say; 0: no limit")
      ->capture_default_str();
  add_choice(command, "--rule", train.online.rule, rules, "pa: pa, pa1 [default] or pa2");
  command.add_option("--aggressiveness", train.online.aggressiveness, "pa1, pa2: largest step")
      ->check(above_zero)
      ->capture_default_str();
  command.add_option("--seed", train.seed, "of everything random")->capture_default_str();
}

void LearningOptions::add_network_options(CLI::App& command) {
  NetworkOptions& network = train.network;
  command.add_option("--hidden", hidden,
                     "kda: widths of hidden layers, as 600,300; none for no layer [two as wide as "
                     "the vectors]");
  command
      .add_option("--dropout", network.dropout,
                  "kda: share of each hidden layer left out at random")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--input-dropout", network.input_dropout, "kda: the same of the vectors")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--l2", network.l2, "kda: what large weights cost")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--learning-rate", network.learning_rate, "kda: length of a step")
      ->check(above_zero)
      ->capture_default_str();
  add_choice(command, "--steps", network.steps, step_lengths,
             "kda: constant [default], or linear: shorter and shorter, to 0 in the last epoch");
  command.add_option("--batch", network.batch, "kda: examples in a step")
      ->check(above_zero)
      ->capture_default_str();
  command
      .add_option("--patience", network.patience,
                  "kda: stop after so many epochs that are no better; 0: never")
      ->capture_default_str();
  command
      .add_option("--development", train.development,
                  "kda: share of the examples that picks the epoch; 0: the last one is kept")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_flag("--train-projection", network.train_input,
                   "kda: train the projection to vectors with the rest");
}

TrainOptions LearningOptions::options() const {
  check_owners(*command_, train.learner);
  return complete();
}

TrainOptions LearningOptions::continue_options() const {
  const auto refuse = [this](const std::string& option) {
    if (is_given(*command_, option)) {
      throw Error(option + " was settled when the model was first trained: leave it out");
    }
  };
  for (const char* option : {"--learner", "--task", "--landmarks"}) refuse(option);
  for (const Owned& each : owned) {
    const std::string option = each.option;
    if (option != "--epochs" && option != "--in-order") refuse(option);
  }
  return complete();
}

TrainOptions LearningOptions::complete() const {
  TrainOptions out = train;
  if (epochs > 0) out.epochs = out.network.epochs = epochs;
  if (!hidden.empty()) out.network.hidden = parse_widths(hidden);
  out.landmarks = landmarks.options(train.seed);
  if (class_weight == "balanced") {
    out.classifier.weights = ClassWeights::balanced;
  } else if (class_weight != "none") {
    out.class_weights = parse_weights(class_weight);
  }
  return out;
}

void SplitOptions::add_to(CLI::App& command) {
  command.add_option("--folds", validation.folds, "stratified folds")
      ->check(CLI::Range(2, 1000000))
      ->capture_default_str();
  command.add_option("--repetitions", validation.repetitions, "of the folds, dealt anew")
      ->check(above_zero)
      ->capture_default_str();
  auto* random_splits =
      command.add_option("--random", random, "so many random splits instead of folds")
          ->check(above_zero);
  auto* share = command.add_option("--train-share", validation.train_share, "of random splits")
                    ->check(CLI::Range(0.0, 1.0))
                    ->capture_default_str();
  command
      .add_flag("--equal-parts", validation.equal_parts,
                "random splits in halves; in thirds where weights are learned")
      ->needs(random_splits)
      ->excludes(share);
  command.add_flag("--leave-one-out", leave_one_out, "each example once, learned from all others")
      ->excludes(random_splits);
}

ValidationOptions SplitOptions::options() const {
  ValidationOptions out = validation;
  if (leave_one_out) out.how = Validation::leave_one_out;
  if (random > 0) {
    out.how = Validation::random;
    out.repetitions = random;
  }
  return out;
}

}  // namespace espalier::cli
