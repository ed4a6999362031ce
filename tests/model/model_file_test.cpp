// Model files: identical after loading; anything else is an Error.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <cstring>

#include "espalier/model/train.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::contains;
using test::fails_with;
using test::read_file;
using test::TempDir;
using test::toy_classes;
using test::toy_numbers;
using test::write_file;

/// What comes before the payload: the words, the version, the size and the checksum.
constexpr std::size_t words = 15, version_at = words, sum_at = words + 12, payload_at = words + 16;

struct Sample {
  std::string name;
  Model model;
};

TrainOptions network(Learner learner) {
  TrainOptions out;
  out.learner = learner;
  out.nystroem = NystroemOptions{.landmarks = 5};
  out.network.hidden = {4};
  out.network.epochs = 2;
  return out;
}

/// A model of every kind; `count` examples each.
std::vector<Sample> all_kinds(std::size_t count) {
  const char* const usual = "norm(sst(t)) + 0.5*norm(linear(v)) + 0.25";
  const Dataset classes = toy_classes({.count = count, .seed = 1, .pairs = true}, 4);
  const Dataset two = toy_classes({.count = count, .seed = 5, .kinds = 2, .pairs = true}, 4);
  const Dataset numbers = toy_numbers({.count = count, .seed = 3});
  TrainOptions likely, pairs, one_class, pa, perceptron, budget, fragments, hashed;
  likely.probabilities = true;
  pairs.probabilities = true;
  pairs.classifier.multi_class = MultiClass::one_vs_one;
  one_class.task = Task::one_class;
  pa.learner = Learner::passive_aggressive;
  pa.online = {OnlineRule::passive_aggressive_2, 0.5};
  perceptron.learner = Learner::perceptron;
  budget.learner = Learner::passive_aggressive;
  budget.budget = 7;
  fragments.learner = hashed.learner = Learner::linear;
  fragments.fragments = 6;
  hashed.hashed = {.max_size = 2, .hash_dim = 32};
  std::vector<Sample> out;
  const auto add = [&](const char* name, const char* kernel, const Dataset& data,
                       const TrainOptions& options) {
    out.push_back({name, train(Kernel(kernel), data, options)});
  };
  add("svm", usual, classes, {});
  add("svm with probabilities", "norm(pt(t))", classes, likely);
  add("svm of pairs of classes", "st(t)", classes, pairs);
  add("svm of two classes", "linear(d)", two, likely);
  add("svm of several labels", usual, test::toy_several({.count = count, .seed = 4}), likely);
  add("svm of a product", "norm(sst(t))*norm(linear(v)) + norm(pt(u))", classes, {});
  add("svm of members", "norm(pair(sst(t))) + pairproduct(norm(sst(t)))", two, {});
  add("svm of all trees", "each(norm(sst())) + rbf(d)", two, {});
  add("svm of numbers", usual, numbers, {});
  add("one-class svm", usual, numbers, one_class);
  add("pa", usual, classes, pa);
  add("perceptron", "rbf(d) + norm(sst(t))", classes, perceptron);
  add("pa with a budget", usual, classes, budget);
  add("pa of numbers with a budget", "norm(sst(t))*norm(linear(v))", numbers, budget);
  add("linear on landmarks", "norm(pt(t))", classes, network(Learner::linear));
  add("linear on fragments", "norm(sst(t)) + 0.5*pair(pt(t))", classes, fragments);
  add("linear on hashed fragments", "each(norm(sst()))*0 + norm(route(t))", two, hashed);
  add("kda", usual, classes, network(Learner::kda));
  add("kda of numbers", usual, numbers, network(Learner::kda));
  return out;
}

void expect_same(const Predictions& a, const Predictions& b) {
  EXPECT_TRUE(test::identical(a.scores, b.scores));
  EXPECT_TRUE(test::identical(a.probabilities, b.probabilities));
  EXPECT_EQ(a.classes, b.classes);
}

TEST(ModelFile, RoundTripsEveryKindOfModel) {
  const TempDir folder;
  const Dataset unseen = toy_classes({.count = 30, .seed = 6, .pairs = true});
  for (const Sample& sample : all_kinds(40)) {
    SCOPED_TRACE(sample.name);
    const Model& model = sample.model;
    for (const char* name : {"model", "model.gz"}) {
      const std::string path = folder.path(name);
      save_model(model, path);
      EXPECT_TRUE(is_model_file(path));
      const Model again = load_model(path);
      expect_same(predict(again, unseen), predict(model, unseen));
      EXPECT_EQ(again.functions.kernel().to_string(), model.functions.kernel().to_string());
      EXPECT_EQ(again.task(), model.task());
      EXPECT_EQ(again.classes(), model.classes());
      EXPECT_EQ(again.multi_label(), model.multi_label());
      if (const auto* decision = std::get_if<Classification>(&model.decision)) {
        const auto& other = std::get<Classification>(again.decision);
        EXPECT_EQ(other.probabilities, decision->probabilities);
        EXPECT_EQ(other.classifiers.problems, decision->classifiers.problems);
        EXPECT_EQ(other.classifiers.class_sizes, decision->classifiers.class_sizes);
      }
      EXPECT_EQ(again.training.learner, model.training.learner);
      EXPECT_EQ(again.training.examples, model.training.examples);
      EXPECT_EQ(again.training.support_vectors, model.training.support_vectors);
      EXPECT_EQ(again.training.iterations, model.training.iterations);
      EXPECT_EQ(again.kind.index(), model.kind.index());
      save_model(again, folder.path("again"));
      save_model(model, folder.path("plain"));
      EXPECT_EQ(read_file(folder.path("again")), read_file(folder.path("plain")));
    }
    EXPECT_TRUE(read_file(folder.path("model.gz")).starts_with("\x1f\x8b"));
  }
}

TEST(ModelFile, KeepsTheStateToContinueTraining) {
  const TempDir folder;
  const Dataset unseen = toy_classes({.count = 20, .seed = 7, .pairs = true});
  for (Sample& sample : all_kinds(40)) {
    if (sample.model.online() == nullptr) continue;
    SCOPED_TRACE(sample.name);
    save_model(sample.model, folder.path("model"));
    Model again = load_model(folder.path("model"));
    const Dataset more = sample.model.task() == Task::regression
                             ? toy_numbers({.count = 30, .seed = 8})
                             : toy_classes({.count = 30, .seed = 8, .kinds = 4, .pairs = true}, 4);
    continue_training(sample.model, more);
    continue_training(again, more);
    expect_same(predict(again, unseen), predict(sample.model, unseen));
    EXPECT_EQ(again.training.iterations, sample.model.training.iterations);
  }
}

TEST(ModelFile, DoesNotGrowWithTheExamples) {
  const TempDir folder;
  const auto size_for = [&](std::size_t count) {
    save_model(train(Kernel("linear(d)"), toy_classes({.count = count, .seed = 9, .kinds = 2}, 3)),
               folder.path("model"));
    return read_file(folder.path("model")).size();
  };
  EXPECT_EQ(size_for(20), size_for(80));
}

// --- Damage --------------------------------------------------------------------------------------

/// The place after `at` to damage: every one at the beginning, then ever fewer.
std::size_t next_place(std::size_t at) { return at + 1 + at / 100; }

/// The files of small models, one of each kind.
const std::vector<std::string>& small_files() {
  static const std::vector<std::string> files = [] {
    const TempDir folder;
    std::vector<std::string> out;
    for (const Sample& sample : all_kinds(5)) {
      save_model(sample.model, folder.path("small"));
      out.push_back(read_file(folder.path("small")));
    }
    return out;
  }();
  return files;
}

TEST(DamagedModel, TruncationIsAnError) {
  const TempDir folder;
  const std::string path = folder.path("model"), bytes = small_files()[0];
  for (std::size_t size = 0; size < bytes.size(); size = next_place(size)) {
    write_file(path, bytes.substr(0, size));
    const test::Failure failure = test::failure_of([&] { load_model(path); });
    ASSERT_TRUE(contains(failure.message, size < words ? "this is no model" : "is cut off"))
        << size;
    ASSERT_TRUE(contains(failure.message, path));
  }
  const std::string packed = test::gzipped(bytes);
  for (std::size_t size = 0; size < packed.size(); size = next_place(size)) {
    write_file(path, packed.substr(0, size));
    ASSERT_THROW(load_model(path), Error) << size;
  }
  write_file(path, bytes + "x");
  EXPECT_TRUE(fails_with("followed by something else", [&] { load_model(path); }));
  write_file(path, bytes);
  EXPECT_NO_THROW(load_model(path));
}

TEST(DamagedModel, FlippedBitIsAnError) {
  const TempDir folder;
  const std::string path = folder.path("model"), bytes = small_files()[0];
  for (std::size_t at = 0; at < bytes.size(); at = next_place(at)) {
    const bool header = at < payload_at;
    for (std::size_t bit = header ? 0 : at % 8; bit < 8; bit += header ? 1 : 8) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      write_file(path, damaged);
      ASSERT_THROW(load_model(path), Error) << at << ", bit " << bit;
    }
  }
}

TEST(DamagedModel, FlippedBitInACompressedFileIsDetected) {
  const TempDir folder;
  const std::string path = folder.path("model"), bytes = small_files()[3];
  const std::string packed = test::gzipped(bytes);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    write_file(path, damaged);
    try {
      // The time in its header, or another way to write the same.
      save_model(load_model(path), path);
      ASSERT_EQ(read_file(path), bytes) << at;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, packed.size() * 3 / 4);
}

std::string with_checksum(std::string bytes) {
  const auto* payload = reinterpret_cast<const Bytef*>(bytes.data() + payload_at);
  const auto sum = static_cast<std::uint32_t>(crc32_z(0, payload, bytes.size() - payload_at));
  std::memcpy(bytes.data() + sum_at, &sum, sizeof sum);
  return bytes;
}

long megabytes_used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(DamagedModel, WithValidChecksumLoadsOrFailsCleanly) {
  const TempDir folder;
  const std::string path = folder.path("model");
  const Dataset classes = toy_classes({.count = 3, .seed = 10, .pairs = true});
  const Dataset numbers = toy_numbers({.count = 3, .seed = 10});
  const long before = megabytes_used();
  std::size_t refused = 0, taken = 0, turn = 0;
  for (const std::string& bytes : small_files()) {
    write_file(path, with_checksum(bytes));
    EXPECT_NO_THROW(load_model(path));
    // All places of all files would take minutes.
    const std::size_t step = 1 + bytes.size() / 40;
    for (std::size_t at = payload_at + turn % step; at < bytes.size(); at += step) {
      std::string damaged = bytes;
      const int masks[] = {0x01, 0x41, 0x80, 0xff, 0x03};
      damaged[at] = static_cast<char>(damaged[at] ^ masks[turn++ % 5]);
      write_file(path, with_checksum(damaged));
      try {
        Model model = load_model(path);
        ++taken;
        predict(model, classes);
        if (model.online() != nullptr && turn % 4 == 0) {
          continue_training(model, model.task() == Task::regression ? numbers : classes,
                            {.epochs = 1});
        }
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 75U);
  EXPECT_GT(taken, 75U);
  EXPECT_LT(megabytes_used() - before, 500);
}

Classification& classes_of(Model& m) { return std::get<Classification>(m.decision); }
std::vector<Sigmoid>& sigmoids_of(Model& m) {
  return std::get<std::vector<Sigmoid>>(classes_of(m).probabilities);
}
OnlineState& online_of(Model& m) { return std::get<OnlineState>(m.kind); }
LandmarkScores& landmarks_of(Model& m) { return std::get<LandmarkScores>(m.kind); }

TEST(DamagedModel, InconsistentPartsAreAnError) {
  const TempDir folder;
  const std::string path = folder.path("model");
  const Dataset data = toy_classes({.count = 20, .seed = 11}, 4);
  TrainOptions pairs, budget;
  pairs.classifier.multi_class = MultiClass::one_vs_one;
  pairs.probabilities = true;
  budget.learner = Learner::passive_aggressive;
  budget.budget = 5;
  const Model good = train(Kernel("linear(d)"), data, pairs);
  const Model online = train(Kernel("linear(d)"), data, budget);
  const Model kda = train(Kernel("linear(d)"), data, network(Learner::kda));
  using Change = void (*)(Model&);
  const struct {
    const Model& model;
    Change change;
  } cases[] = {
      {good, [](Model& m) { classes_of(m).classifiers.problems[1].negative = none; }},
      {good, [](Model& m) { classes_of(m).classifiers.problems[0].negative = none; }},
      {good, [](Model& m) { classes_of(m).classifiers.problems[2].negative = 3; }},
      {good, [](Model& m) { classes_of(m).classifiers.problems[2].positive = 9; }},
      {good,
       [](Model& m) {
         classes_of(m).classifiers.problems[1] = classes_of(m).classifiers.problems[0];
       }},
      {good, [](Model& m) { classes_of(m).classifiers.problems.pop_back(); }},
      {good, [](Model& m) { classes_of(m).classifiers.class_sizes[1] = 0; }},
      {good, [](Model& m) { classes_of(m).classifiers.class_sizes.assign(3, 0); }},
      {good, [](Model& m) { classes_of(m).classifiers.class_sizes.pop_back(); }},
      {good, [](Model& m) { classes_of(m).classifiers.functions.pop_back(); }},
      {good, [](Model& m) { sigmoids_of(m).pop_back(); }},
      {good, [](Model& m) { classes_of(m).classes.pop_back(); }},
      {good, [](Model& m) { classes_of(m).classes.clear(); }},
      {good, [](Model& m) { m.decision = Regression{}; }},
      {online, [](Model& m) { online_of(m).coefficients[0].pop_back(); }},
      {online, [](Model& m) { online_of(m).coefficients.pop_back(); }},
      {online, [](Model& m) { online_of(m).lengths.pop_back(); }},
      {online, [](Model& m) { m.decision = OneClass{}; }},
      {online, [](Model& m) { online_of(m).options.rule = static_cast<OnlineRule>(4); }},
      {kda, [](Model& m) { m.kind = {}; }},
      {kda, [](Model& m) { landmarks_of(m).landmarks.pop_back(); }},
      {kda, [](Model& m) { landmarks_of(m).landmarks[0].classes = {7}; }},
      {kda, [](Model& m) { landmarks_of(m).projection.pop_back(); }},
      {kda, [](Model& m) { landmarks_of(m).network.layers.pop_back(); }},
      {kda, [](Model& m) { landmarks_of(m).network.layers.clear(); }},
      {kda, [](Model& m) { landmarks_of(m).network.layers[0].weights.pop_back(); }},
      {kda, [](Model& m) { landmarks_of(m).network.layers[0].bias.pop_back(); }},
      {kda, [](Model& m) { ++landmarks_of(m).network.layers[0].outputs; }},
      {kda, [](Model& m) { landmarks_of(m).network.layers[1].inputs = 0; }},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    Model model = cases[i].model;
    cases[i].change(model);
    try {
      save_model(model, path);
    } catch (const Error&) {
      continue;
    }
    EXPECT_TRUE(fails_with("the model is damaged", [&] { load_model(path); })) << i;
  }
}

TEST(DamagedModel, RejectsOtherFiles) {
  const TempDir folder;
  const std::string newer = [&] {
    std::string bytes = small_files()[0];
    bytes[version_at] = 9;
    return folder.file("newer", bytes);
  }();
  mkdir(folder.path("folder").c_str(), 0777);
  const struct {
    std::string path;
    const char* message;
  } cases[] = {
      {folder.file("empty", ""), "this is no model"},
      {folder.file("text", "a\t(S (NP dog))\n"), "this is no model"},
      {folder.file("binary", std::string(5000, '\0')), "this is no model"},
      {folder.file("packed.gz", test::gzipped("some words")), "this is no model"},
      {folder.file("words", "espalier model\n"), "is cut off"},
      {folder.path("missing"), "No such file or directory"},
      {folder.path("folder"), "Is a directory"},
      {newer, "the model has format 9; this program knows up to 8: use a newer version"},
  };
  for (const auto& [path, message] : cases) {
    const test::Failure failure = test::failure_of([&] { load_model(path); });
    EXPECT_TRUE(contains(failure.message, message));
    EXPECT_TRUE(contains(failure.message, path));
  }
  EXPECT_FALSE(is_model_file(folder.path("text")));
  EXPECT_FALSE(is_model_file(folder.path("empty")));
  EXPECT_FALSE(is_model_file("-"));
  EXPECT_TRUE(is_model_file(newer));
}

// --- Saving --------------------------------------------------------------------------------------

const Model& any_model() {
  static const Model model = train(Kernel("sst(t)"), toy_classes({.count = 20, .seed = 12}));
  return model;
}

TEST(SavingAModel, ReplacesTheOldFile) {
  const TempDir folder;
  const std::string path = folder.file("model", "old");
  save_model(any_model(), path);
  EXPECT_NO_THROW(load_model(path));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"model"});
}

TEST(SavingAModel, KeepsTheOldFileInAReadOnlyFolder) {
  const TempDir folder;
  const std::string path = folder.file("model", "old");
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  // Root may write everywhere: be somebody else for a moment.
  const uid_t user = geteuid();
  if (user == 0 && seteuid(65534) != 0) GTEST_SKIP() << "root may write everywhere";
  const test::Failure failure = test::failure_of([&] { save_model(any_model(), path); });
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_TRUE(contains(failure.message, path + ": Permission denied"));
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"model"});
}

TEST(SavingAModel, KeepsTheOldFileOnAFullDisk) {
  const TempDir folder;
  const std::string path = folder.file("model", "old"), packed = folder.file("model.gz", "old");
  EXPECT_TRUE(fails_with("No space left on device", [] { save_model(any_model(), "/dev/full"); }));
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{100, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const test::Failure failures[] = {test::failure_of([&] { save_model(any_model(), path); }),
                                    test::failure_of([&] { save_model(any_model(), packed); })};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  for (const test::Failure& failure : failures) {
    EXPECT_TRUE(contains(failure.message, "File too large"));
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(read_file(packed), "old");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"model", "model.gz"}));
}

}  // namespace
}  // namespace espalier
