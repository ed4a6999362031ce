#include "train_options.hpp"

#include <array>
#include <cmath>
#include <string>

#include "bindings.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

template <class T>
struct Choice {
  const char* name;
  T value;
};

constexpr std::array learners = {
    Choice{"svm", Learner::svm}, Choice{"linear", Learner::linear}, Choice{"kda", Learner::kda},
    Choice{"perceptron", Learner::perceptron}, Choice{"pa", Learner::passive_aggressive}};
constexpr std::array tasks = {Choice{"classification", Task::classification},
                              Choice{"regression", Task::regression},
                              Choice{"one-class", Task::one_class}};
constexpr std::array strategies = {Choice{"one_vs_rest", MultiClass::one_vs_rest},
                                   Choice{"one_vs_one", MultiClass::one_vs_one}};
constexpr std::array rules = {Choice{"pa", OnlineRule::passive_aggressive},
                              Choice{"pa1", OnlineRule::passive_aggressive_1},
                              Choice{"pa2", OnlineRule::passive_aggressive_2}};
constexpr std::array policies = {
    Choice{"uniform", LandmarkPolicy::uniform}, Choice{"kmeans++", LandmarkPolicy::kmeans},
    Choice{"leverage", LandmarkPolicy::leverage}, Choice{"classwise", LandmarkPolicy::classwise},
    Choice{"support", LandmarkPolicy::support}};
constexpr std::array losses = {Choice{"hinge", LinearLoss::hinge},
                               Choice{"squared", LinearLoss::squared_hinge}};
constexpr std::array step_lengths = {Choice{"constant", StepLengths::constant},
                                     Choice{"linear", StepLengths::linear}};
constexpr std::array set_weightings = {Choice{"equal", SetWeights::equal},
                                       Choice{"error", SetWeights::error}};
constexpr std::array validations = {Choice{"folds", Validation::folds},
                                    Choice{"random", Validation::random},
                                    Choice{"leave_one_out", Validation::leave_one_out}};
constexpr std::array weightings = {Choice{"balanced", ClassWeights::balanced}};

[[noreturn]] void fail_type(const std::string& name, const char* expected, nb::handle value) {
  const std::string given = to_bytes(nb::str(nb::repr(value)));
  throw nb::type_error((name + " is " + expected + ", not " + given).c_str());
}

double to_number(const std::string& name, nb::handle value) {
  const double out = PyFloat_AsDouble(value.ptr());
  if (out == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail_type(name, "a number", value);
  }
  return out;
}

template <class T, std::size_t N>
T to_choice(const std::string& name, nb::handle value, const std::array<Choice<T>, N>& choices) {
  if (!nb::isinstance<nb::str>(value)) fail_type(name, "a string", value);
  const std::string wanted = to_bytes(nb::borrow<nb::str>(value));
  std::vector<std::string> names;
  std::string list;
  for (const auto& [known, meaning] : choices) {
    if (wanted == known) return meaning;
    names.emplace_back(known);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string near = nearest(wanted, names);
  throw Error(name + " = " + in_quotes(wanted) +
              " is not known: " + (near.empty() ? "" : "did you mean " + in_quotes(near) + "? ") +
              (N == 1 ? "There is " : "There are ") + list);
}

/// The values of keyword arguments, by name.
class Keywords {
 public:
  explicit Keywords(const nb::dict& values) : values_(values) {}

  nb::object operator[](const char* name) const { return values_[name]; }

  double number(const char* name) const { return to_number(name, values_[name]); }

  double above_zero(const char* name) const {
    const double out = number(name);
    if (!(out > 0) || std::isinf(out)) {
      throw Error(std::string(name) + " = " + print_number(out) + " must be a number above 0");
    }
    return out;
  }

  std::uint64_t count(const char* name) const {
    const nb::object value = values_[name];
    const auto index = nb::steal(PyNumber_Index(value.ptr()));
    if (!index.is_valid()) {
      PyErr_Clear();
      fail_type(name, "a whole number", value);
    }
    const unsigned long long out = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw Error(std::string(name) + " = " + to_bytes(nb::str(index)) +
                  " must be a whole number, 0 or above");
    }
    return out;
  }

  bool flag(const char* name) const {
    const nb::object value = values_[name];
    if (!nb::isinstance<nb::bool_>(value)) fail_type(name, "True or False", value);
    return nb::cast<bool>(value);
  }

  template <class T, std::size_t N>
  T choice(const char* name, const std::array<Choice<T>, N>& choices) const {
    return to_choice(name, values_[name], choices);
  }

 private:
  const nb::dict& values_;
};

/// Classes are named; those whose labels are numbers also by the number.
std::string class_name(nb::handle key) {
  if (nb::isinstance<nb::str>(key)) return to_bytes(nb::borrow<nb::str>(key));
  return print_number(to_number("a class of class_weight", key));
}

void read_weights(nb::handle weights, TrainOptions& out) {
  if (weights.is_none()) return;
  if (!nb::isinstance<nb::dict>(weights)) {
    if (!nb::isinstance<nb::str>(weights)) {
      fail_type("class_weight", "None, 'balanced' or a dict from classes to weights", weights);
    }
    out.classifier.weights = to_choice("class_weight", weights, weightings);
    return;
  }
  for (const auto& [key, weight] : nb::borrow<nb::dict>(weights)) {
    const std::string name = class_name(key);
    out.class_weights.emplace_back(name, to_number("the weight of " + in_quotes(name), weight));
  }
}

/// The options of a network; widths of hidden layers may be none given.
void read_network(const Keywords& keywords, TrainOptions& out) {
  NetworkOptions& network = out.network;
  if (!keywords["hidden"].is_none()) {
    network.hidden.clear();
    for (const nb::handle width : keywords["hidden"]) {
      const double value = to_number("a width of hidden", width);
      if (!(value >= 1 && value <= 1e6) || value != std::floor(value)) {
        throw Error("hidden has " + print_number(value) + ": widths are whole numbers above 0");
      }
      network.hidden.push_back(static_cast<std::size_t>(value));
    }
  }
  network.dropout = keywords.number("dropout");
  network.input_dropout = keywords.number("input_dropout");
  network.l2 = keywords.number("l2");
  network.learning_rate = keywords.above_zero("learning_rate");
  network.steps = keywords.choice("steps", step_lengths);
  network.batch = keywords.count("batch");
  network.patience = keywords.count("patience");
  network.train_input = keywords.flag("train_projection");
  out.development = keywords.number("development");
}

}  // namespace

TrainOptions continue_options(const nb::dict& options) {
  const Keywords keywords(options);
  TrainOptions out;
  if (!keywords["epochs"].is_none()) {
    out.epochs = out.network.epochs = keywords.count("epochs");
  }
  out.shuffle = keywords.flag("shuffle");
  out.seed = keywords.count("seed");
  return out;
}

NystroemOptions landmark_options(const nb::dict& options) {
  const Keywords keywords(options);
  return {.landmarks = keywords.count("landmarks"),
          .policy = keywords.choice("policy", policies),
          .seed = keywords.count("seed"),
          .sets = keywords.count("sets"),
          .set_weights = keywords.choice("set_weights", set_weightings)};
}

TrainOptions train_options(const nb::dict& options) {
  const Keywords keywords(options);
  TrainOptions out = continue_options(options);
  out.learner = keywords.choice("learner", learners);
  if (!keywords["task"].is_none()) out.task = keywords.choice("task", tasks);
  out.classifier.cost = keywords.above_zero("C");
  out.classifier.multi_class = keywords.choice("multi_class", strategies);
  out.classifier.solver.tolerance = keywords.above_zero("tolerance");
  read_weights(keywords["class_weight"], out);
  out.loss = keywords.choice("loss", losses);
  out.probabilities = keywords.flag("probabilities");
  out.epsilon = keywords.number("epsilon");
  out.nu = keywords.number("nu");
  out.online.rule = keywords.choice("rule", rules);
  out.online.aggressiveness = keywords.above_zero("aggressiveness");
  out.budget = keywords.count("budget");
  if (!keywords["landmarks"].is_none()) out.landmarks = landmark_options(options);
  read_network(keywords, out);
  return out;
}

ValidationOptions validation_options(const nb::dict& options) {
  const Keywords keywords(options);
  return {.how = keywords.choice("how", validations),
          .folds = keywords.count("folds"),
          .repetitions = keywords.count("repetitions"),
          .train_share = keywords.number("train_share"),
          .seed = keywords.count("seed")};
}

}  // namespace espalier::python
