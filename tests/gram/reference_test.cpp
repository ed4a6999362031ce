// The values that other programs compute on real data; ../shared/reference tells how.
#include <gtest/gtest.h>

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "espalier/model/word_vectors.hpp"
#include "support/archive.hpp"
#include "support/files.hpp"
#include "support/grams.hpp"
#include "support/shared_data.hpp"

namespace espalier {
namespace {

struct Value {
  std::size_t i;
  std::size_t j;
  double value;
};

/// The values of a file by what stands in its columns before i and j.
std::map<std::string, std::vector<Value>> read_values(const std::string& path) {
  std::map<std::string, std::vector<Value>> out;
  std::istringstream lines(test::read_gzip(path));
  std::string line;
  std::getline(lines, line);  // the header
  while (std::getline(lines, line)) {
    const std::size_t value = line.rfind('\t');
    const std::size_t j = line.rfind('\t', value - 1);
    const std::size_t i = line.rfind('\t', j - 1);
    out[line.substr(0, i)].push_back({std::stoul(line.substr(i + 1)),
                                      std::stoul(line.substr(j + 1)),
                                      std::stod(line.substr(value + 1))});
  }
  return out;
}

/// The first examples of a file: those that the values are about.
Dataset first_examples(const std::string& path, std::size_t count,
                       const ReadOptions& options = {}) {
  const auto reader = open_reader(path, options);
  Dataset data;
  for (Example example; data.size() < count && reader->next(example);) data.add(example);
  return data;
}

constexpr std::size_t examples_used = 16;

void expect_values(const std::string& expression, const Dataset& data,
                   const std::vector<Value>& values, double tolerance) {
  const Matrix<double> found = gram(load_word_vectors(Kernel(expression), {&data}), data);
  for (const Value& value : values) {
    ASSERT_LT(std::max(value.i, value.j), data.size());
    EXPECT_TRUE(test::is_near(found(value.i, value.j), value.value, tolerance))
        << expression << " of " << value.i << " and " << value.j << ": "
        << testing::PrintToString(found(value.i, value.j)) << " instead of "
        << testing::PrintToString(value.value);
  }
}

/// "sst(lambda=1)" becomes "sst(grct, lambda=1)".
std::string with_tree(std::string expression, const std::string& tree) {
  return expression.insert(expression.find('(', expression.find("t(")) + 1, tree + ", ");
}

/// "vectors=words.txt)" becomes "vectors="path/words.txt")".
std::string with_folder(std::string expression) {
  const std::string option = "vectors=";
  const std::size_t begin = expression.find(option);
  if (begin == std::string::npos) return expression;
  const std::size_t name = begin + option.size(), end = expression.find(')', name);
  const std::string path = test::shared_reference(expression.substr(name, end - name));
  return expression.replace(name, end - name, "\"" + path + "\"");
}

TEST(ReferenceValues, OfSvmLightTk) {
  const std::string reference = test::shared_reference("svmlight_tk.tsv.gz");
  const std::string questions = test::shared_data("qc_kelp_train.klp.gz");
  const std::string archive = test::shared_data("qc_constituency_stanford.tar.gz");
  ESPALIER_NEEDS_DATA(reference);
  ESPALIER_NEEDS_DATA(questions);
  ESPALIER_NEEDS_DATA(archive);
  const test::TempDir folder;
  const std::string parses =
      folder.file("train.penn",
                  test::file_in_archive(archive, "question_classification_train_sents_parsed.txt"));
  const Dataset dependencies = first_examples(questions, examples_used);
  const Dataset constituents = first_examples(parses, examples_used);
  std::size_t count = 0;
  for (const auto& [key, values] : read_values(reference)) {
    const std::size_t tab = key.find('\t');
    const std::string set = key.substr(0, tab), expression = key.substr(tab + 1);
    ASSERT_TRUE(set == "grct" || set == "const") << set;
    if (set == "grct") {
      expect_values(with_tree(expression, set), dependencies, values, 1e-9);
    } else {
      expect_values(expression, constituents, values, 1e-9);
    }
    count += values.size();
  }
  EXPECT_EQ(count, 6528U);
}

TEST(ReferenceValues, OfKelp) {
  const std::string reference = test::shared_reference("kelp.tsv.gz");
  const std::string questions = test::shared_data("qc_kelp_test.klp.gz");
  ESPALIER_NEEDS_DATA(reference);
  ESPALIER_NEEDS_DATA(questions);
  const Dataset data = first_examples(questions, examples_used);
  std::size_t count = 0;
  for (const auto& [expression, values] : read_values(reference)) {
    const bool smoothed = expression.find("spt(") != std::string::npos;
    expect_values(with_folder(expression), data, values, smoothed ? 2e-6 : 1e-6);
    count += values.size();
  }
  EXPECT_EQ(count, 164U * 136U);
}

}  // namespace
}  // namespace espalier
