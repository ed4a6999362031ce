// A model file: a line that identifies it, the format version, the size and checksum of the rest,
// and the model in the format of base/archive.hpp.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/archive.hpp"
#include "espalier/io/sink.hpp"
#include "espalier/model/model.hpp"
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

/// All except the functions.
template <class Archive>
void archive(Archive& a, Model& model) {
  auto task = static_cast<std::uint8_t>(model.task);
  a(task, model.classes, model.multi_label, model.classifiers, model.sigmoids, model.softmax,
    model.training, model.online, model.landmarks, model.curve);
  if (task > static_cast<std::uint8_t>(Task::one_class)) throw Error("unknown task");
  model.task = static_cast<Task>(task);
}

namespace {

constexpr std::string_view magic = "espalier model\n";
constexpr std::uint32_t format_version = 5;
constexpr const char* no_model = "this is no model: train one with `espalier train`";

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error(path + ": " + message);
}

/// Plain or compressed.
class ModelInput {
 public:
  explicit ModelInput(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (!file_) espalier::fail(path, "cannot open the file: " + std::string(std::strerror(errno)));
  }
  /// Up to `size` bytes.
  std::string read(std::size_t size) {
    std::string out;
    std::array<char, 1 << 16> buffer;
    while (out.size() < size) {
      const auto wanted = static_cast<unsigned>(std::min(buffer.size(), size - out.size()));
      const int got = gzread(file_.get(), buffer.data(), wanted);
      if (got < 0) fail();
      if (got == 0) {
        if (error() == Z_BUF_ERROR) espalier::fail(path_, "the file is cut off");
        break;
      }
      out.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return out;
  }

 private:
  int error() const {
    int code = Z_OK;
    gzerror(file_.get(), &code);
    return code;
  }
  [[noreturn]] void fail() const {
    espalier::fail(path_, error() == Z_ERRNO
                              ? "cannot read the file: " + std::string(std::strerror(errno))
                              : "the file is damaged");
  }

  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

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

/// Whether the state of the online learner is complete for each output.
bool complete(const OnlineState& state, const Model& model) {
  const std::size_t outputs = model.classifiers.functions.size();
  return model.task != Task::one_class &&
         (model.task != Task::classification || outputs == model.classes.size()) &&
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
  return !scores.network.layers.empty() && width == model.classifiers.functions.size() &&
         std::ranges::all_of(scores.landmarks, [&](const Landmark& landmark) {
           return std::ranges::all_of(landmark.classes,
                                      [&](auto c) { return c < model.classes.size(); });
         });
}

/// Throws Error unless the parts are consistent, so that no later access is out of range.
void check(const Model& model) {
  const BinaryClassifiers& classifiers = model.classifiers;
  bool good = (model.landmarks ? complete(*model.landmarks, model)
                               : classifiers.functions.size() == model.functions.outputs()) &&
              (model.sigmoids.empty() || model.sigmoids.size() == classifiers.functions.size()) &&
              (!model.online || complete(*model.online, model));
  if (model.task == Task::classification) {
    good = good && !model.classes.empty() &&
           classifiers.class_sizes.size() == model.classes.size() &&
           classifiers.problems.size() == classifiers.functions.size() && complete(classifiers);
  } else {
    good = good && classifiers.functions.size() == 1;
  }
  if (!good) throw Error("its parts do not fit together");
}

void check_version(std::uint32_t version) {
  if (version == format_version) return;
  if (version == 0) throw Error("the model is damaged: there is no format 0");
  const std::string known = "the model has format " + std::to_string(version);
  if (version < format_version) {
    throw Error(known + ", which this program no longer reads: train it again");
  }
  throw Error(known + "; this program knows up to " + std::to_string(format_version) +
              ": use a newer version");
}

Model read_payload(std::string_view payload) {
  ArchiveReader in({payload.data(), payload.size()});
  std::string functions;
  in(functions);
  KernelFunctions loaded = KernelFunctions::load(functions);
  Model model(loaded.kernel());
  model.functions = std::move(loaded);
  in(model);
  if (!in.at_end()) throw Error("it is longer than it should be");
  check(model);
  return model;
}

}  // namespace

std::string model_bytes(const Model& model) {
  ArchiveWriter payload;
  payload(model.functions.save(), model);
  ArchiveWriter header;
  header(format_version, static_cast<std::uint64_t>(payload.bytes().size()),
         checksum(payload.bytes()));
  return std::string(magic) + header.bytes() + payload.bytes();
}

Model model_from_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw Error(no_model);
  bytes.remove_prefix(magic.size());
  std::uint32_t version = 0;
  std::uint64_t size = 0;
  std::uint32_t sum = 0;
  constexpr std::size_t header_size = sizeof version + sizeof size + sizeof sum;
  if (bytes.size() < header_size) throw Error("the model is cut off");
  ArchiveReader header({bytes.data(), header_size});
  header(version, size, sum);
  check_version(version);
  bytes.remove_prefix(header_size);
  if (bytes.size() < size) throw Error("the model is cut off");
  if (bytes.size() > size) {
    throw Error("the model is damaged: it is followed by something else");
  }
  if (checksum(bytes) != sum) throw Error("the model is damaged: its checksum is wrong");
  try {
    return read_payload(bytes);
  } catch (const Error& error) {
    throw Error(std::string("the model is damaged: ") + error.what());
  }
}

void save_model(const Model& model, const std::string& path) {
  Sink sink(path);
  sink.write(model_bytes(model));
  sink.commit();
}

bool is_model_file(const std::string& path) {
  if (path == "-") return false;
  try {
    return ModelInput(path).read(magic.size()) == magic;
  } catch (const Error&) {
    return false;  // reading it will report why
  }
}

Model load_model(const std::string& path) {
  ModelInput input(path);
  std::string bytes = input.read(magic.size());
  if (bytes != magic) fail(path, no_model);
  bytes += input.read(std::string::npos);
  try {
    return model_from_bytes(bytes);
  } catch (const Error& error) {
    fail(path, error.what());
  }
}

}  // namespace espalier
