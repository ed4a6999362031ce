#include "espalier/model/model.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bindings.hpp"
#include "espalier/explain/explanation.hpp"
#include "espalier/explain/model_fragments.hpp"
#include "espalier/model/evaluation.hpp"
#include "espalier/model/train.hpp"
#include "parameters.hpp"
#include "to_array.hpp"
#include "to_object.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

using Name = std::optional<nb::str>;

nb::list name_list(const std::vector<std::string>& names) {
  nb::list out;
  for (const std::string& name : names) out.append(to_python(name));
  return out;
}

Predictions predictions(const Model& model, const Dataset& data, std::size_t threads,
                        std::size_t memory) {
  return Work(threads, memory).run([&](const Context& context) {
    return predict(model, data, context);
  });
}

/// Where there is one score for each example, the array has one dimension.
nb::object score_array(const Model& model, Matrix<double> values) {
  if (model.task() == Task::classification) return to_array(std::move(values));
  const std::size_t count = values.rows();
  return to_array(std::move(values), {count});
}

nb::object scores(const Model& model, const Dataset& data, std::size_t threads,
                  std::size_t memory) {
  return score_array(model, std::move(predictions(model, data, threads, memory).scores));
}

/// The names of the classes decided for; one for each example, or a list of them.
nb::list decided(const Model& model, const Predictions& found) {
  const nb::list names = name_list(found.class_names);
  nb::list out;
  for (const auto& classes : found.classes) {
    if (!model.multi_label()) {
      out.append(names[classes[0]]);
      continue;
    }
    nb::list several;
    for (const std::uint32_t c : classes) several.append(names[c]);
    out.append(several);
  }
  return out;
}

nb::list predicted_labels(const Model& model, const Dataset& data, std::size_t threads,
                          std::size_t memory) {
  if (model.task() != Task::classification) throw Error("the model has no classes");
  return decided(model, predictions(model, data, threads, memory));
}

/// All of them in one pass: labels, None unless there are classes; scores; probabilities, None
/// without.
nb::tuple all_predictions(const Model& model, const Dataset& data, std::size_t threads,
                          std::size_t memory) {
  Predictions found = predictions(model, data, threads, memory);
  nb::object labels = nb::none(), chances = nb::none();
  if (model.task() == Task::classification) {
    labels = decided(model, found);
    if (has_probabilities(model)) chances = to_array(std::move(found.probabilities));
  }
  return nb::make_tuple(labels, score_array(model, std::move(found.scores)), chances);
}

nb::object probabilities(const Model& model, const Dataset& data, std::size_t threads,
                         std::size_t memory) {
  if (model.task() != Task::classification) {
    throw Error("only classification models have probabilities: the task of this one is " +
                std::string(name_of(model.task())));
  }
  if (!has_probabilities(model)) {
    throw Error(
        "the model has no probabilities: train it by svm, with the option for probabilities");
  }
  return to_array(std::move(predictions(model, data, threads, memory).probabilities));
}

nb::object evaluation(const Model& model, const Dataset& data, const Name& groups,
                      const Name& relevant, std::size_t threads, std::size_t memory) {
  RankingOptions ranking;
  if (groups) ranking.groups = to_bytes(*groups);
  if (relevant) ranking.relevant = to_bytes(*relevant);
  const Evaluation out = Work(threads, memory).run([&](const Context& context) {
    return evaluate(outcomes_of(model, predict(model, data, context), data, ranking));
  });
  return to_object(out);
}

Model train_model(const std::string& kernel, const Dataset& data, const nb::dict& options,
                  const std::vector<double>& sample_weight, const Dataset* validation,
                  std::size_t threads, std::size_t memory) {
  TrainOptions how;
  how.sample_weight = sample_weight;
  Parameters parameters(how);
  refuse_unknown(set_parameters(parameters, options), parameters);
  check_use(parameters, name_of(how.learner));
  return Work(threads, memory).run([&](const Context& context) {
    return train(Kernel(kernel), data, how, context, {}, validation);
  });
}

/// A new model: the old one may be in use by another thread, and stays as it is if this one fails.
Model continued(const Model& model, const Dataset& data, const nb::dict& options,
                std::size_t threads, std::size_t memory) {
  const auto how = options_from<TrainOptions>(options);
  return Work(threads, memory).run([&](const Context& context) {
    Model out = model;
    continue_training(out, data, how, context);
    return out;
  });
}

nb::dict score_dict(const ExplainedScore& score) {
  nb::dict out;
  out["class"] = to_object(score.name);
  out["score"] = score.score;
  out["bias"] = score.bias;
  out["like_none"] = score.like_none;
  nb::dict rest;
  for (const auto& part : score.rest) rest[to_object(part.name)] = part.value;
  out["rest"] = rest;
  out["subtrees"] = to_object(score.subtrees);
  out["fragments"] = to_object(score.fragments);
  out["landmarks"] = to_object(score.landmarks);
  return out;
}

nb::dict explanation(const Model& model, const Dataset& data, std::size_t example,
                     std::size_t threads, std::size_t memory) {
  if (example >= data.size()) {
    throw nb::index_error(("there is no example " + std::to_string(example)).c_str());
  }
  const Explanation found = Work(threads, memory).run([&](const Context& context) {
    return explain(model, data, example, context);
  });
  nb::dict out;
  out["id"] = to_object(found.id);
  out["text"] = to_object(found.text);
  out["sentence"] = to_object(explanation_sentence(found));
  out["decision"] = score_dict(found.decision);
  out["rival"] = found.rivals.empty() ? nb::none() : nb::object(score_dict(found.rivals[0]));
  return out;
}

/// Per node of the first tree; empty if the kernel does not see it.
nb::object node_values(const Model& model, const Dataset& data, const std::string& class_name,
                       std::size_t threads, std::size_t memory) {
  const ExplainedScore found = Work(threads, memory).run([&](const Context& context) {
    return explain_score(model, data, 0, class_name, context);
  });
  return to_object(found.trees.empty() ? std::vector<double>()
                                       : node_contributions(found.trees[0]));
}

nb::dict fragment_record(const ModelFragments& all, std::uint32_t number,
                         const WeightedFragment& each) {
  nb::dict out;
  if (!all.classes[0].empty()) out["class"] = to_object(all.classes[number]);
  out["fragment"] = to_object(to_string(each.fragment));
  out["weight"] = each.weights[number];
  out["size"] = each.fragment.size;
  out["subtrees"] = each.subtrees;
  if (all.examples > 0) {
    out["examples"] = each.examples;
    out["occurrences"] = each.occurrences;
  }
  if (all.terms.size() > 1) out["kernel"] = to_object(all.terms[each.term]);
  return out;
}

/// The arguments of Fragments, in order.
nb::tuple fragments(const Model& model, const Dataset* data, const std::string& class_name,
                    const nb::dict& options, std::size_t threads, std::size_t memory) {
  const auto how = options_from<FragmentOptions>(options);
  const ModelFragments all = Work(threads, memory).run([&](const Context& context) {
    return model_fragments(model, how, class_name, data, context);
  });
  nb::list records, svgs;
  nb::dict exact, bounds;
  for (const auto& [number, found] : all.lists) {
    const nb::object name = to_object(all.classes[number]);
    exact[name] = found.exact;
    bounds[name] = found.bound;
    for (const WeightedFragment& each : found.fragments) {
      records.append(fragment_record(all, number, each));
      svgs.append(to_object(fragment_svg(each.fragment)));
    }
  }
  return nb::make_tuple(records, exact, bounds, svgs);
}

void save_to(const Model& model, const nb::bytes& path) {
  const std::string file = path_of(path);
  const nb::gil_scoped_release others_may_run;
  save_model(model, file);
}

Model load_from(const nb::bytes& path, const std::optional<nb::bytes>& vectors) {
  const std::string file = path_of(path);
  const std::string words = vectors ? path_of(*vectors) : "";
  const nb::gil_scoped_release others_may_run;
  Model model = load_model(file);
  model.word_files.ignored = words == "none";
  if (!model.word_files.ignored) model.word_files.path = words;
  return model;
}

}  // namespace

void add_model(nb::module_& module) {
  const auto on_data = [](auto& cls, const char* name, auto&& function) {
    cls.def(name, function, nb::arg("data"), nb::arg("threads"), nb::arg("memory"));
  };
  auto cls = nb::class_<Model>(module, "Model");
  cls.def("kernel", [](const Model& model) { return model.functions.kernel().to_string(); })
      .def("task", [](const Model& model) { return name_of(model.task()); })
      .def("classes", [](const Model& model) { return name_list(model.classes()); })
      .def("multi_label", [](const Model& model) { return model.multi_label(); })
      .def("has_probabilities", [](const Model& model) { return has_probabilities(model); })
      .def("training", [](const Model& model) { return to_object(model.training); })
      .def("provenance", [](const Model& model) { return to_object(model.provenance); })
      .def(
          "warnings_about",
          [](const Model& model, const Dataset& data) {
            return to_object(warnings_about(model, data));
          },
          nb::arg("data"))
      .def("summary", [](const Model& model) { return to_object(model.functions.summary()); })
      .def("evaluate", evaluation, nb::arg("data"), nb::arg("groups").none(),
           nb::arg("relevant").none(), nb::arg("threads"), nb::arg("memory"))
      .def("continue_training", continued, nb::arg("data"), nb::arg("options"), nb::arg("threads"),
           nb::arg("memory"))
      .def("curve",
           [](const Model& model) {
             const LandmarkScores* scores = model.landmarks();
             return to_object(scores != nullptr ? scores->curve : std::vector<NetworkEpoch>());
           })
      .def("explain", explanation, nb::arg("data"), nb::arg("example"), nb::arg("threads"),
           nb::arg("memory"))
      .def("node_contributions", node_values, nb::arg("data"), nb::arg("class_name"),
           nb::arg("threads"), nb::arg("memory"))
      .def("fragments", fragments, nb::arg("data").none(), nb::arg("class_name"),
           nb::arg("options"), nb::arg("threads"), nb::arg("memory"))
      .def("save", save_to, nb::arg("path"))
      .def("to_bytes", [](const Model& model) {
        const std::string bytes = model_bytes(model);
        return nb::bytes(bytes.data(), bytes.size());
      });
  on_data(cls, "labels", predicted_labels);
  on_data(cls, "scores", scores);
  on_data(cls, "probabilities", probabilities);
  on_data(cls, "predictions", all_predictions);
  module.def("load_model", load_from, nb::arg("path"), nb::arg("vectors").none());
  module.def(
      "model_from_bytes",
      [](const nb::bytes& content) {
        return model_from_bytes({content.c_str(), content.size()});
      },
      nb::arg("content"));
  module.def("train", train_model, nb::arg("kernel"), nb::arg("data"), nb::arg("options"),
             nb::arg("sample_weight"), nb::arg("validation").none(), nb::arg("threads"),
             nb::arg("memory"));
}

}  // namespace espalier::python
