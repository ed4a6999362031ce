#pragma once

#include "espalier/represent/sentence.hpp"

namespace espalier {

inline bool is_punctuation(const Word& word) {
  return word.upos == "PUNCT" || word.deprel == "punct";
}

}  // namespace espalier
