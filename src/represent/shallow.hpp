#pragma once

#include "espalier/represent/represent.hpp"

namespace espalier {

/// The shallow form of a sentence: its root, the chunks, the parts of speech, the words. Words that
/// are in no chunk are directly below the root. Linear in the sentence.
SentenceTree chunks_of(const Sentence& sentence, const WordOptions& options, const Marks& marks);

}  // namespace espalier
