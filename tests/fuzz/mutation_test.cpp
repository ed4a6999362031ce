// A short, repeatable run of the fuzz targets: seeds with random damage. tests/fuzz/run is the long
// one, which looks for what is new.
#include <gtest/gtest.h>

#include <filesystem>

#include "espalier/base/random.hpp"
#include "espalier/model/model.hpp"
#include "fuzz/targets.hpp"
#include "model/toy_data.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

constexpr std::size_t inputs_per_seed = 150;

/// Small models of all kinds, as files.
std::vector<std::string> model_files() {
  const test::TempDir folder;
  const Dataset data = test::toy_classes({.count = 12, .seed = 1}, 3);
  std::vector<std::string> out;
  for (const char* const kernel : {"norm(sst(t))", "st(t) + linear(d)", "dtk(t, dim=16)"}) {
    for (const Learner learner : {Learner::svm, Learner::passive_aggressive, Learner::kda}) {
      TrainOptions options;
      options.learner = learner;
      options.network.hidden = {3};
      options.network.epochs = 2;
      save_model(train(Kernel(kernel), data, options), folder.path("model"));
      out.push_back(test::read_file(folder.path("model")));
    }
  }
  return out;
}

std::vector<std::string> seeds_of(const std::string& target) {
  if (target == "model") return model_files();
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(ESPALIER_ROOT "/tests/fuzz/seeds/" + target)) {
    out.push_back(test::read_file(entry.path()));
  }
  std::ranges::sort(out);
  return out;
}

/// One change of the kinds that find most: damage of a byte, a part twice, missing or elsewhere,
/// and bytes that formats give a meaning to.
void damage(std::string& text, Random& random) {
  constexpr char bytes[] = "()<>[]{}|\\\"'&;:,.#=-+ \t\n\r\0\x7f\xff\xc3\xe2";
  const std::string_view signs(bytes, sizeof bytes - 1);
  const auto place = [&] { return static_cast<std::size_t>(random.below(text.size() + 1)); };
  const std::size_t at = place();
  const std::string part = text.substr(place(), random.below(16));
  switch (random.below(6)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at < text.size()) text[at] = signs[random.below(signs.size())];
      break;
    case 2:
      text.insert(at, 1, signs[random.below(signs.size())]);
      break;
    case 3:
      text.erase(at, random.below(16));
      break;
    case 4:
      text.insert(at, part);
      break;
    default:
      text.resize(std::max(at, text.size() / 2));
  }
}

class FuzzTarget : public testing::TestWithParam<std::string> {};

TEST_P(FuzzTarget, EndsInAValueOrAnError) {
  const std::vector<std::string> seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  Random random(1);
  for (const std::string& seed : seeds) {
    for (std::size_t i = 0; i < inputs_per_seed; ++i) {
      std::string input = seed;
      for (std::uint64_t changes = random.below(5); changes > 0; --changes) damage(input, random);
      // Formats take their options from a byte before the file; to others it is damage too.
      if (i % 2 == 0) input.insert(0, 1, static_cast<char>(random.below(256)));
      EXPECT_NO_THROW(fuzz::feed(GetParam(), input)) << input;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTarget, testing::ValuesIn(fuzz::targets()), [](const auto& row) {
  std::string name = row.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace espalier
