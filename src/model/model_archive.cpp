#include "model/model_archive.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/archive.hpp"
#include "gram/function_archive.hpp"

namespace espalier {

template <class Archive>
void archive(Archive& a, BinaryProblem& problem) {
  a(problem.positive, problem.negative);
}

template <class Archive>
void archive(Archive& a, DecisionFunction& function) {
  a(function.bias, function.objective, function.iterations, function.converged);
}

template <class Archive>
void archive(Archive& a, BinaryClassifiers& classifiers) {
  std::vector<std::uint64_t> sizes(classifiers.class_sizes.begin(), classifiers.class_sizes.end());
  a(sizes, classifiers.problems, classifiers.functions);
  classifiers.class_sizes.assign(sizes.begin(), sizes.end());
}

template <class Archive>
void archive(Archive& a, Sigmoid& sigmoid) {
  a(sigmoid.slope, sigmoid.offset);
}

template <class Archive>
void archive(Archive& a, Training& training) {
  training.fields([&](const char*, auto& field) {
    a(const_cast<std::remove_cvref_t<decltype(field)>&>(field));  // NOLINT: fields() is const
  });
}

template <class Archive>
void archive(Archive& a, Setting& setting) {
  a(setting.name, setting.value);
}

template <class Archive>
void archive(Archive& a, Provenance& provenance) {
  a(provenance.version, provenance.parameters, provenance.data, provenance.reading);
}

template <class Archive>
void archive(Archive& a, Named<std::uint64_t>& named) {
  a(named.name, named.value);
}

template <class Archive>
void archive(Archive& a, OnlineState& state) {
  auto rule = static_cast<std::uint8_t>(state.options.rule);
  a(rule, state.options.aggressiveness, state.epsilon, state.budget, state.support_vectors,
    state.coefficients, state.lengths);
  if (rule > static_cast<std::uint8_t>(OnlineRule::passive_aggressive_2)) {
    throw Error("unknown online rule");
  }
  state.options.rule = static_cast<OnlineRule>(rule);
  if (state.support_vectors.size() != state.coefficients.size() ||
      state.support_vectors.size() != state.lengths.size()) {
    throw Error("a coefficient is missing");
  }
}

template <class Archive>
void archive(Archive& a, DenseLayer<float>& layer) {
  a(layer.inputs, layer.outputs, layer.weights, layer.bias, layer.rectified);
}

template <class Archive>
void archive(Archive& a, Landmark& landmark) {
  a(landmark.text, landmark.classes);
}

template <class Archive>
void archive(Archive& a, LandmarkScores& scores) {
  a(scores.landmarks, scores.projection, scores.network.layers);
}

template <class Archive>
void archive(Archive& a, NetworkEpoch& epoch) {
  a(epoch.loss, epoch.validation_loss, epoch.validation_score);
}

/// Only columns with weights: most of many hashed ones have none.
struct ArchivedWeights {
  std::uint64_t outputs = 0;
  std::vector<std::uint32_t> columns;
  std::vector<float> weights;  ///< of these columns
};

template <class Archive>
void archive(Archive& a, ArchivedWeights& weights) {
  a(weights.outputs, weights.columns, weights.weights);
}

namespace {

[[noreturn]] void fail_parts() { throw Error("its parts do not fit together"); }

Decision decision_of(std::uint8_t task, Classification parts) {
  auto& [classes, multi_label, classifiers, probabilities] = parts;
  if (task == static_cast<std::uint8_t>(Task::classification)) return parts;
  if (task > static_cast<std::uint8_t>(Task::one_class)) throw Error("unknown task");
  if (!classes.empty() || multi_label || probabilities.index() != 0 ||
      !classifiers.problems.empty() || classifiers.functions.size() != 1) {
    fail_parts();
  }
  if (task == static_cast<std::uint8_t>(Task::regression)) {
    return Regression{std::move(classifiers.functions[0])};
  }
  return OneClass{std::move(classifiers.functions[0])};
}

/// The inverse: a model without classes has one decision function and no problem.
Classification parts_of(const Decision& decision) {
  if (const auto* found = std::get_if<Classification>(&decision)) return *found;
  const auto functions = decision_functions(decision);
  return {.classifiers = {{}, {}, {functions.begin(), functions.end()}}};
}

template <class T, class Variant>
std::optional<T> alternative(const Variant& variant) {
  const T* found = std::get_if<T>(&variant);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

}  // namespace

/// All except the kernel functions. The parts of all kinds of models are side by side.
template <class Archive>
void archive(Archive& a, Model& model) {
  auto task = static_cast<std::uint8_t>(model.task());
  Classification parts = parts_of(model.decision);
  using Sigmoids = std::vector<Sigmoid>;
  auto sigmoids = alternative<Sigmoids>(parts.probabilities).value_or(Sigmoids());
  bool softmax = std::holds_alternative<Softmax>(parts.probabilities);
  auto online = alternative<OnlineState>(model.kind);
  auto landmarks = alternative<LandmarkScores>(model.kind);
  auto curve = landmarks ? landmarks->curve : std::vector<NetworkEpoch>();
  a(task, parts.classes, parts.multi_label, parts.classifiers, sigmoids, softmax, model.training,
    online, landmarks, curve);
  if constexpr (Archive::reading) {
    if ((softmax && !sigmoids.empty()) || (online && landmarks) || (!landmarks && !curve.empty())) {
      fail_parts();
    }
    if (softmax) parts.probabilities = Softmax{};
    if (!sigmoids.empty()) parts.probabilities = std::move(sigmoids);
    model.decision = decision_of(task, std::move(parts));
    if (online) model.kind = std::move(*online);
    if (landmarks) std::get<LandmarkScores>(model.kind = std::move(*landmarks)).curve = curve;
  }
}

namespace {

/// Whether these are all classes with examples, or all pairs of them, in ascending order.
bool complete(const BinaryClassifiers& classifiers) {
  std::vector<std::uint32_t> present;
  for (std::uint32_t c = 0; c < classifiers.class_sizes.size(); ++c) {
    if (classifiers.class_sizes[c] > 0) present.push_back(c);
  }
  std::vector<BinaryProblem> rest, pairs;
  for (std::size_t a = 0; a < present.size(); ++a) rest.push_back({present[a]});
  if (classifiers.problems == rest) return true;
  if (2 * classifiers.problems.size() != present.size() * (present.size() - 1)) return false;
  for (std::size_t a = 0; a < present.size(); ++a) {
    for (std::size_t b = a + 1; b < present.size(); ++b) pairs.push_back({present[a], present[b]});
  }
  return classifiers.problems == pairs;
}

bool complete(const Classification& decision) {
  const auto& [classes, multi_label, classifiers, probabilities] = decision;
  const auto* sigmoids = std::get_if<std::vector<Sigmoid>>(&probabilities);
  return !classes.empty() && classifiers.class_sizes.size() == classes.size() &&
         classifiers.problems.size() == classifiers.functions.size() && complete(classifiers) &&
         (sigmoids == nullptr || sigmoids->size() == classifiers.functions.size());
}

/// Whether the state of the online learner is complete for each output.
bool complete(const OnlineState& state, const Model& model) {
  const std::size_t outputs = decision_functions(model.decision).size();
  return model.task() != Task::one_class &&
         (model.task() != Task::classification || outputs == model.classes().size()) &&
         std::ranges::all_of(state.coefficients,
                             [&](const auto& each) { return each.size() == outputs; });
}

/// Whether the sizes of consecutive layers match, from the landmarks to the decision functions.
bool complete(const LandmarkScores& scores, const Model& model) {
  const std::size_t landmarks = model.functions.outputs();
  if (landmarks == 0 || scores.landmarks.size() != landmarks ||
      scores.projection.size() % landmarks != 0) {
    return false;
  }
  std::uint64_t width = scores.projection.size() / landmarks;
  for (const DenseLayer<float>& layer : scores.network.layers) {
    if (layer.inputs != width || layer.bias.size() != layer.outputs ||
        (width > 0 && layer.weights.size() / width != layer.outputs) ||
        layer.weights.size() != width * layer.outputs) {
      return false;
    }
    width = layer.outputs;
  }
  return !scores.network.layers.empty() && width == decision_functions(model.decision).size() &&
         std::ranges::all_of(scores.landmarks, [&](const Landmark& landmark) {
           return std::ranges::all_of(landmark.classes,
                                      [&](auto c) { return c < model.classes().size(); });
         });
}

ArchivedWeights archived_weights(const FragmentScores& scores) {
  ArchivedWeights out{scores.outputs(), {}, {}};
  for (std::size_t c = 0; c < scores.features.columns(); ++c) {
    const auto weights = std::span(scores.weights).subspan(c * out.outputs, out.outputs);
    if (std::ranges::all_of(weights, [](float weight) { return weight == 0; })) continue;
    out.columns.push_back(static_cast<std::uint32_t>(c));
    out.weights.insert(out.weights.end(), weights.begin(), weights.end());
  }
  return out;
}

FragmentScores fragment_scores(FragmentFeatures features, const ArchivedWeights& archived) {
  const auto& [outputs, columns, weights] = archived;
  const std::size_t all = features.columns();
  const bool ascending = std::ranges::adjacent_find(columns, std::greater_equal()) == columns.end();
  if (all == 0 || outputs == 0 || !ascending || (!columns.empty() && columns.back() >= all) ||
      weights.size() / outputs != columns.size() || weights.size() % outputs != 0 ||
      !std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); })) {
    fail_parts();
  }
  FragmentScores out{std::move(features), std::vector<float>(all * outputs, 0.0F)};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::copy_n(weights.data() + k * outputs, outputs, out.weights.data() + columns[k] * outputs);
  }
  return out;
}

/// Throws Error unless the parts are consistent, so that no later access is out of range.
void check(const Model& model) {
  const auto* decision = std::get_if<Classification>(&model.decision);
  const LandmarkScores* landmarks = model.landmarks();
  const FragmentScores* fragments = model.fragments();
  const std::size_t outputs =
      fragments != nullptr ? fragments->outputs() : model.functions.outputs();
  const bool good = (decision == nullptr || complete(*decision)) &&
                    (landmarks != nullptr ? complete(*landmarks, model)
                                          : decision_functions(model.decision).size() == outputs) &&
                    (model.online() == nullptr || complete(*model.online(), model));
  if (!good) fail_parts();
}

}  // namespace

std::string archived(const Model& model) {
  ArchiveWriter out;
  out(model.functions.save(), model, model.provenance);
  const FragmentScores* fragments = model.fragments();
  out(fragments != nullptr);
  if (fragments != nullptr) out(fragments->features.save(), archived_weights(*fragments));
  std::vector<Named<std::uint64_t>> digests;
  for (const auto& [name, digest] : model.word_files.digests) digests.push_back({name, digest});
  out(digests);
  return out.bytes();
}

Model model_from_archive(std::string_view bytes, std::uint32_t version) {
  ArchiveReader in({bytes.data(), bytes.size()});
  std::string functions;
  in(functions);
  KernelFunctions loaded = KernelFunctions::load(functions);
  Model model(loaded.kernel());
  model.functions = std::move(loaded);
  in(model);
  if (version > 5) in(model.provenance);
  bool fragments = false;
  if (version > 6) in(fragments);
  if (fragments) {
    std::string features;
    ArchivedWeights weights;
    in(features, weights);
    if (model.kind.index() != 0) fail_parts();
    model.kind =
        fragment_scores(FragmentFeatures::load(features, model.functions.kernel()), weights);
  }
  std::vector<Named<std::uint64_t>> digests;
  if (version > 7) in(digests);
  for (const auto& [name, digest] : digests) model.word_files.digests[name] = digest;
  if (!in.at_end()) throw Error("it is longer than it should be");
  check(model);
  return model;
}

}  // namespace espalier
