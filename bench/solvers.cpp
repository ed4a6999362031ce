// Compares the two solvers of SVMs, on the Gram matrix and without it, on any data: objectives,
// violation of the optimality conditions, decisions.
//
//     espalier_solvers FILE [--kernel K] [--examples N] [--task T] [--cost C] [--tolerance T]
//                      [--working-set Q]
//
// N examples are chosen evenly; their Gram matrix must fit into memory. The violation is computed
// here, in double precision, from coefficients and kernels alone. Data without numbers to predict
// is given the logarithm of the number of nodes of each tree.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>

#include "espalier/espalier.hpp"
#include "model/data_kernels.hpp"
#include "stopwatch.hpp"

namespace espalier::bench {
namespace {

struct Arguments {
  std::string file, kernel = "norm(sst(lambda=0.4))";
  std::size_t examples = 10'000, working_set = 0;
  Task task = Task::classification;
  double cost = 1, tolerance = 1e-4, epsilon = 0.1, nu = 0.2;
};

Arguments parse(int argc, char** argv) {
  Arguments out;
  std::map<std::string, std::string> given;
  for (int a = 1; a < argc; ++a) {
    const std::string name = argv[a];
    if (name.starts_with("--") && a + 1 < argc) {
      given[name] = argv[++a];
    } else {
      out.file = name;
    }
  }
  const auto take = [&](const std::string& name, auto&& use) {
    if (given.contains(name)) use(given[name]);
    given.erase(name);
  };
  take("--kernel", [&](const std::string& v) { out.kernel = v; });
  take("--examples", [&](const std::string& v) { out.examples = std::stoull(v); });
  take("--working-set", [&](const std::string& v) { out.working_set = std::stoull(v); });
  take("--cost", [&](const std::string& v) { out.cost = std::stod(v); });
  take("--tolerance", [&](const std::string& v) { out.tolerance = std::stod(v); });
  take("--task", [&](const std::string& v) {
    const auto names = names_of(Task{});
    const auto found = std::ranges::find(names, v);
    if (found == names.end()) throw Error("there is no task " + v);
    out.task = static_cast<Task>(found - names.begin());
  });
  if (!given.empty()) throw Error("there is no option " + given.begin()->first);
  if (out.file.empty()) throw Error("name a file");
  return out;
}

/// Functions of a solver, with the time that they took.
struct Solved {
  std::vector<BinaryProblem> problems;
  std::vector<DecisionFunction> functions;
  Time time;
};

/// One task on some data.
class Comparison {
 public:
  Comparison(const Arguments& arguments, const Dataset& data)
      : arguments_(arguments),
        data_(data),
        kernel_(load_word_vectors(Kernel(arguments.kernel), {&data})),
        targets_(make_targets(
            data, arguments.task == Task::regression ? Task::one_class : arguments.task)),
        all_(data.size()) {
    std::iota(all_.begin(), all_.end(), 0U);
    classifier_.cost = arguments.cost;
    classifier_.solver.tolerance = arguments.tolerance;
    svr_ = {arguments.cost, arguments.epsilon, classifier_.solver};
    one_class_ = {arguments.nu, classifier_.solver};
    if (arguments.task != Task::regression) return;
    const TreeColumn& trees = data.trees()[0];
    const Forest& forest = data.forests()[trees.forest].value;
    for (const TreeId tree : trees.trees) {
      numbers_.push_back(std::log(static_cast<double>(forest.size(forest.root(tree)))));
    }
  }

  void run() {
    const Time time = time_of([&] { gram_ = gram<float>(kernel_, data_); });
    Solved matrix = on_matrix(), without = on_working_sets();
    matrix.time.processor += time.processor;
    const Matrix<double> a = values(matrix), b = values(without);
    fmt::print(
        "| problem | objective | relative difference | violation, matrix | violation, "
        "working set | largest difference of values |\n|---|---:|---:|---:|---:|---:|\n");
    for (std::size_t m = 0; m < matrix.functions.size(); ++m) print(matrix, without, a, b, m);
    fmt::print("\n{} examples, {} decisions differ; {:.1f} and {:.1f} CPU s\n", data_.size(),
               different(matrix, a, b), matrix.time.processor, without.time.processor);
  }

 private:
  Solved on_matrix() const {
    Solved out;
    const GramView view(gram_);
    out.time = time_of([&] {
      if (arguments_.task == Task::classification) {
        auto trained = train_classifier(view, targets_.classes, classifier_);
        out.problems = std::move(trained.problems);
        out.functions = std::move(trained.functions);
      } else if (arguments_.task == Task::regression) {
        out.functions.push_back(train_svr(view, numbers_, svr_));
      } else {
        out.functions.push_back(train_one_class(view, one_class_));
      }
    });
    return out;
  }

  Solved on_working_sets() const {
    Solved out;
    const WorkingSetOptions options{.size = arguments_.working_set};
    out.time = time_of([&] {
      const std::size_t outputs =
          arguments_.task == Task::classification ? targets_.classes.class_count() : 1;
      DataKernels source(kernel_, data_, outputs, {});
      if (arguments_.task == Task::classification) {
        auto trained = train_classifier(source, all_, targets_.classes, classifier_, {}, options);
        out.problems = std::move(trained.classifiers.problems);
        out.functions = std::move(trained.classifiers.functions);
      } else if (arguments_.task == Task::regression) {
        out.functions.push_back(train_svr(source, all_, numbers_, svr_, options));
      } else {
        out.functions.push_back(train_one_class(source, all_, one_class_, options));
      }
    });
    return out;
  }

  /// Of each example (row) and function (column).
  Matrix<double> values(const Solved& solved) const {
    Matrix<double> out(data_.size(), solved.functions.size());
    for (std::size_t i = 0; i < data_.size(); ++i) {
      for (std::size_t m = 0; m < solved.functions.size(); ++m) {
        double sum = solved.functions[m].bias;
        for (const SupportVector& s : solved.functions[m].support_vectors) {
          sum += s.coefficient * static_cast<double>(gram_(i, s.example));
        }
        out(i, m) = sum;
      }
    }
    return out;
  }

  /// The largest violation of the optimality conditions of a function, in units of its values.
  double violation(const Solved& solved, const Matrix<double>& values, std::size_t m) const {
    std::vector<double> b(data_.size(), 0);
    for (const SupportVector& s : solved.functions[m].support_vectors) b[s.example] = s.coefficient;
    double out = 0;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const double f = values(i, m);
      if (arguments_.task == Task::classification) {
        const double sign = targets_.classes.has(i, solved.problems[m].positive) ? 1 : -1;
        out = std::max(out, outside(sign * b[i], 0, arguments_.cost, sign * f - 1));
      } else if (arguments_.task == Task::one_class) {
        out = std::max(out, outside(b[i], 0, 1, f));
      } else {
        const double error = f - numbers_[i], width = arguments_.epsilon;
        out = std::max({out, b[i] >= 0 ? outside(b[i], 0, arguments_.cost, error + width) : 0,
                        b[i] <= 0 ? outside(-b[i], 0, arguments_.cost, width - error) : 0});
      }
    }
    return out;
  }

  /// At the optimum, the slope for a coefficient is not negative where it may rise, and not
  /// positive where it may fall.
  static double outside(double value, double lower, double upper, double slope) {
    if (value < lower || value > upper) return HUGE_VAL;
    return std::max({0.0, value < upper ? -slope : 0, value > lower ? slope : 0});
  }

  /// The number of examples that are decided differently.
  std::size_t different(const Solved& solved, const Matrix<double>& a,
                        const Matrix<double>& b) const {
    if (arguments_.task == Task::regression) return 0;
    const auto decision = [&](const Matrix<double>& values, std::size_t i) -> std::size_t {
      if (values.columns() == 1) return values(i, 0) < 0 ? 1 : 0;
      const auto row = values.row(i);
      return solved.problems[static_cast<std::size_t>(std::ranges::max_element(row) - row.begin())]
          .positive;
    };
    std::size_t out = 0;
    for (std::size_t i = 0; i < data_.size(); ++i) out += decision(a, i) != decision(b, i);
    return out;
  }

  void print(const Solved& matrix, const Solved& without, const Matrix<double>& a,
             const Matrix<double>& b, std::size_t m) const {
    double largest = 0;
    for (std::size_t i = 0; i < a.rows(); ++i) {
      largest = std::max(largest, std::abs(a(i, m) - b(i, m)));
    }
    const double objective = matrix.functions[m].objective;
    const std::string name = matrix.problems.empty()
                                 ? names_of(Task{})[static_cast<std::size_t>(arguments_.task)]
                                 : targets_.names[matrix.problems[m].positive];
    fmt::print("| {} | {:.8g} | {:.1e} | {:.1e} | {:.1e} | {:.1e} |\n", name, objective,
               std::abs(without.functions[m].objective - objective) / std::abs(objective),
               violation(matrix, a, m), violation(without, b, m), largest);
    std::fflush(stdout);
  }

  const Arguments& arguments_;
  const Dataset& data_;
  FittedKernel kernel_;
  Targets targets_;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> all_;
  ClassifierOptions classifier_;
  SvrOptions svr_;
  OneClassOptions one_class_;
  Matrix<float> gram_;
};

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier;
  try {
    const bench::Arguments arguments = bench::parse(argc, argv);
    const Dataset all = read(arguments.file);
    const std::size_t size = std::min(arguments.examples, all.size());
    std::vector<std::uint32_t> some;
    for (std::size_t k = 0; k < size; ++k) {
      some.push_back(static_cast<std::uint32_t>(k * all.size() / size));
    }
    const Dataset data = all.select(some);
    bench::Comparison(arguments, data).run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
