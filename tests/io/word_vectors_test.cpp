// Word vectors in all the ways that people write them.
#include "espalier/io/word_vectors.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using Vector = std::vector<float>;

class ReadWordVectors : public testing::Test {
 protected:
  WordVectors read(const std::string& content, const std::vector<std::string>& words,
                   bool mean = false) {
    LabelTable wanted;
    for (const std::string& word : words) wanted.intern(word);
    warnings.clear();
    return read_word_vectors(folder.file("vectors", content), wanted,
                             {mean, [&](const std::string& line) { warnings.push_back(line); }});
  }
  static Vector found(const WordVectors& all, const std::string& word) {
    const auto vector = all.find(word);
    return {vector.begin(), vector.end()};
  }
  /// What reading all of it says, after the name of the file.
  std::string fault(const std::string& content) {
    const std::string message = test::failure_of([&] {
                                  read(content, {"cat", "dog"}, true);
                                }).message;
    return message.substr(message.find("vectors") + 7);
  }

  test::TempDir folder;
  std::vector<std::string> warnings;
};

TEST_F(ReadWordVectors, ReadsTextFormats) {
  const std::string lines = "cat 1 2.5 -3e-1\ndog 0 1 0\n";
  const std::string kelp = "2 3\ncat\t1.0\t0\t1,2.5,-3e-1\ndog\t1\t0\t0,1,0\n";
  for (const std::string& content :
       std::vector<std::string>{lines, "2 3\n" + lines, "2 3\r\ncat 1 2.5 -0.3 \r\ndog 0 1 0 \r\n",
                                std::string("cat\t1\t2.5\t-0.3\ndog\t0\t1\t0"), kelp,
                                kelp.substr(4), test::gzipped(lines)}) {
    const WordVectors all = read(content, {"cat", "dog", "cow"});
    EXPECT_EQ(all.dimension, 3U) << content;
    EXPECT_EQ(found(all, "cat"), (Vector{1, 2.5F, -0.3F})) << content;
    EXPECT_EQ(found(all, "dog"), (Vector{0, 1, 0})) << content;
    EXPECT_TRUE(all.knows("cow"));
    EXPECT_TRUE(all.find("cow").empty());
    EXPECT_FALSE(all.knows("bee"));
    EXPECT_TRUE(warnings.empty());
  }
}

std::string binary(const std::vector<std::pair<std::string, Vector>>& words,
                   const std::string& header, const std::string& end) {
  std::string out = header;
  for (const auto& [word, vector] : words) {
    out += word + " ";
    out.append(reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float));
    out += end;
  }
  return out;
}

TEST_F(ReadWordVectors, ReadsBinaryWord2vec) {
  const std::vector<std::pair<std::string, Vector>> words = {{"cat", {1, 0.1F}}, {"dog", {-2, 0}}};
  for (const std::string end : {"", "\n"}) {
    const WordVectors all = read(binary(words, "2 2\n", end), {"dog", "cat"}, true);
    EXPECT_EQ(found(all, "cat"), (Vector{1, 0.1F}));
    EXPECT_EQ(found(all, "dog"), (Vector{-2, 0}));
    EXPECT_EQ(all.mean, (Vector{-0.5F, 0.05F}));
    EXPECT_TRUE(warnings.empty());
  }
  EXPECT_EQ(fault(binary(words, "2 2\n", "").substr(0, 20)), ": it ends within word 2");
  EXPECT_EQ(fault(binary(words, "2 3\n", "")), ": word 2 has no end");
  read(binary(words, "3 2\n", "\n"), {"cat"});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(test::contains(warnings[0], ":1: the header says 3 words, but there are 2"));
}

TEST_F(ReadWordVectors, UsesTheBestSpelling) {
  const WordVectors all = read("film 1\nFilm 2\nfilm::n 3\nparis 4\nParis 5\nu.s. 6\n",
                               {"film::n", "film::v", "Film::n", "Paris", "PARIS::x", "u.s.::n"});
  EXPECT_EQ(found(all, "film::n"), Vector{3});  // as it is
  EXPECT_EQ(found(all, "film::v"), Vector{1});  // without the part of speech
  EXPECT_EQ(found(all, "Film::n"), Vector{2});
  EXPECT_EQ(found(all, "Paris"), Vector{5});
  EXPECT_EQ(found(all, "PARIS::x"), Vector{4});  // in lower case
  EXPECT_EQ(found(all, "u.s.::n"), Vector{6});
}

TEST_F(ReadWordVectors, WordsMayHoldBlanks) {
  const WordVectors all =
      read("cat 1 2\n. . . 3 4\nat name@x.org 5 6\n", {". . .", "at name@x.org"});
  EXPECT_EQ(found(all, ". . ."), (Vector{3, 4}));
  EXPECT_EQ(found(all, "at name@x.org"), (Vector{5, 6}));
}

TEST_F(ReadWordVectors, UsesTheFirstVectorOfARepeatedWord) {
  const WordVectors all = read("cat 1 2\ncat 3 4\n", {"cat"});
  EXPECT_EQ(found(all, "cat"), (Vector{1, 2}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(test::contains(warnings[0], ":2: the word 'cat' again"));
}

TEST_F(ReadWordVectors, ComputesTheMeanOfAllVectors) {
  EXPECT_EQ(read("cat 1 2\ndog 3 6\n", {"cat"}, true).mean, (Vector{2, 4}));
  EXPECT_TRUE(read("cat 1 2\ndog 3 6\n", {"cat"}).mean.empty());
}

TEST_F(ReadWordVectors, ReportsErrorsWithTheirLocation) {
  EXPECT_EQ(fault(""), ": there are no word vectors in it");
  EXPECT_EQ(fault("2 3\n"), ": there are no word vectors in it");
  EXPECT_EQ(fault("cat\n"), ":1:1: expected a word and its vector, near 'cat'");
  EXPECT_EQ(fault("cat 1 2\ndog 1\n"),
            ":2:1: expected 2 numbers after the word, found 1, near 'dog 1'");
  EXPECT_EQ(fault("cat 1 2\ndog 1.5 2 3\n"),
            ":2:1: expected 2 numbers after the word, found 3, near 'dog 1.5 2 3'");
  EXPECT_EQ(fault("1 3\ncat 1 2\n"),
            ":2:1: expected 3 numbers after the word, found 2, near 'cat 1 2'");
  EXPECT_EQ(fault("cat 1 x\n"), ":1:7: expected a number, near 'x'");
  EXPECT_EQ(fault("cat 1 2\ndog nan 1\n"),
            ":2:5: the number is not finite, or too large for single precision, near 'nan 1'");
  EXPECT_EQ(fault("dog 1e99 1\n"),
            ":1:5: the number is not finite, or too large for single precision, near '1e99 1'");
  EXPECT_EQ(fault("cat\t1\t0\t1,2\ndog\t1\t0\t1,2,3\n"),
            ":2:9: expected 2 numbers, found 3, near '1,2,3'");
  EXPECT_EQ(fault("2 0\ncat\n"), ":1:1: the dimension must be from 1 to 100,000, near '2 0'");
  EXPECT_EQ(fault(std::string("cat 1 2\nd\0g 1 2\n", 15)),
            ":2:1: a NUL byte: this is no file of word vectors, near 'd\\x00g 1 2'");
  EXPECT_TRUE(test::fails_with("cannot read", [] { read_word_vectors("/nowhere", LabelTable()); }));
  read("5 2\ncat 1 2\n", {"cat"});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(test::contains(warnings[0], "the header says 5 words, but there are 1"));
}

}  // namespace
}  // namespace espalier
