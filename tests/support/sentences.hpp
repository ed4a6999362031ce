#pragma once

#include <sstream>
#include <string>

#include "espalier/represent/sentence.hpp"

namespace espalier::test {

/// A sentence from lines "form head relation [upos]".
inline Sentence sentence(const std::string& text) {
  Sentence out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    Word& word = out.words.emplace_back();
    fields >> word.form >> word.head >> word.deprel;
    if (std::string upos; fields >> upos) word.upos = upos;
  }
  return out;
}

}  // namespace espalier::test
