// Random examples with nasty labels, as far as each format can hold them: written, read, compared.
#include <gtest/gtest.h>

#include "espalier/base/number.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::nasty_text;
using test::nasty_tree;
using test::Random;

double random_number(Random& random) {
  return (static_cast<double>(random.below(2'000'001)) - 1e6) / 997;
}

/// Some text that does not begin or end with a blank.
std::string trimmed_text(Random& random) {
  return "x" + nasty_text(random) + "\t" + nasty_text(random) + "y";
}

FeatureVector random_vector(Random& random, bool dense) {
  FeatureVector out;
  out.dense = dense;
  for (std::size_t left = random.below(4); left > 0; --left) {
    if (!dense) out.features.push_back(nasty_text(random));
    out.values.push_back(random_number(random));
  }
  return out;
}

/// An example that uses everything there is; klp holds it.
Example anything(Random& random, int depth = 0) {
  Example out;
  for (std::size_t left = random.below(3); left > 0; --left) {
    std::string name = nasty_text(random);
    const bool ends_in_number =
        name.find(':') != name.npos && parse_number(name.substr(name.rfind(':') + 1));
    if (name.empty() || ends_in_number || random.one_in(3)) {
      out.labels.push_back({std::move(name), random_number(random)});
    } else {
      out.labels.push_back({std::move(name), {}});
    }
  }
  const char* const names[] = {"t", "a name", "x:y", "", "\\", "é"};
  const auto few = [&] { return random.below(3); };
  for (std::size_t i = few(); i > 0; --i) out.trees.push_back({names[i], nasty_tree(random)});
  for (std::size_t i = few(); i > 0; --i) {
    out.vectors.push_back({names[i + 1], random_vector(random, i == 1)});
  }
  for (std::size_t i = few(); i > 0; --i) out.texts.push_back({names[i + 2], trimmed_text(random)});
  if (depth < 3 && random.one_in(4)) {
    out.members = {anything(random, depth + 1), anything(random, depth + 1)};
  }
  // A blank line would be skipped.
  if (out == Example()) out.trees.push_back({"t", Tree()});
  return out;
}

Example only_a_tree(Random& random) {
  Example out;
  out.trees.push_back({"tree", nasty_tree(random)});
  return out;
}

Example class_columns_and_tree(Random& random) {
  Example out = only_a_tree(random);
  if (random.one_in(5)) out.trees[0].value = Tree();
  if (!random.one_in(4)) out.labels.push_back({"c" + nasty_text(random), {}});
  const char* const names[] = {"id", "column3", "column4"};
  for (std::size_t i = 0, count = random.below(4); i < count; ++i) {
    out.texts.push_back({names[i], nasty_text(random)});
  }
  return out;
}

Example target_trees_and_vectors(Random& random) {
  Example out;
  if (random.one_in(2)) {
    out.labels.push_back({std::to_string(random.below(5)), {}});
  } else {
    out.labels.push_back({print_number(static_cast<double>(random.below(100)) - 50.5), {}});
  }
  for (std::size_t i = 0, count = random.below(4); i < count; ++i) {
    out.trees.push_back({std::to_string(i), random.one_in(4) ? Tree() : nasty_tree(random)});
  }
  for (std::size_t i = 0, count = random.below(4); i < count; ++i) {
    FeatureVector vector;
    for (std::size_t feature = 1 + random.below(9); feature < 30; feature += 1 + random.below(20)) {
      vector.features.push_back(std::to_string(feature));
      vector.values.push_back(random_number(random));
    }
    out.vectors.push_back({std::to_string(i), random.one_in(4) ? FeatureVector() : vector});
  }
  if (random.one_in(3)) out.texts.push_back({"qid", nasty_text(random) + "1"});
  return out;
}

void expect_round_trip(const char* format, const char* file, Example (*make)(Random&)) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<Example> examples;
    for (int i = 0; i < 50; ++i) examples.push_back(make(random));
    const test::TempDir folder;
    test::write_examples(examples, folder.path(file));
    ReadOptions options;
    options.format = format;
    const std::vector<Example> back = test::examples_in(folder.path(file), options);
    ASSERT_EQ(back.size(), examples.size()) << "seed " << seed;
    // The suffix tells the format, whatever the labels look like.
    ASSERT_EQ(test::examples_in(folder.path(file)), back) << "seed " << seed;
    for (std::size_t i = 0; i < back.size(); ++i) {
      ASSERT_EQ(back[i], examples[i]) << "seed " << seed << ", example " << i;
    }
    // Writing again gives the same bytes.
    test::write_examples(back, folder.path(std::string("again") + file));
    ASSERT_EQ(test::read_file(folder.path(std::string("again") + file)),
              test::read_file(folder.path(file)));
  }
}

TEST(RoundTrip, OfPenn) { expect_round_trip("penn", "x.penn", only_a_tree); }
TEST(RoundTrip, OfTsv) { expect_round_trip("tsv", "x.tsv", class_columns_and_tree); }
TEST(RoundTrip, OfKelp) {
  expect_round_trip("klp", "x.klp", [](Random& random) { return anything(random); });
}
TEST(RoundTrip, OfSvmlightTk) {
  expect_round_trip("svmlight-tk", "x.svm", target_trees_and_vectors);
}
TEST(RoundTrip, ThroughGzip) {
  expect_round_trip("klp", "x.klp.gz", [](Random& random) { return anything(random); });
}

TEST(RoundTrip, ThroughADataSet) {
  Random random(1);
  const test::TempDir folder;
  std::vector<Example> examples;
  for (int i = 0; i < 200; ++i) examples.push_back(class_columns_and_tree(random));
  examples[0].trees[0].value = test::tree("(S)");  // so that the file is not blank
  test::write_examples(examples, folder.path("x.tsv"));
  ReadOptions options;
  options.format = "tsv";
  write(read(folder.path("x.tsv"), options), folder.path("y.klp"));
  const Dataset data = read(folder.path("y.klp"));
  ASSERT_EQ(data.size(), examples.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(data.example(i).trees, examples[i].trees);
    EXPECT_EQ(data.example(i).labels, examples[i].labels);
  }
}

}  // namespace
}  // namespace espalier
