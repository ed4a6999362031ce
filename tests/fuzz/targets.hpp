#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier::fuzz {

/// What can be fed: each format by its name, "expression", "word-vectors", "svmlight-tk-model" and
/// "model".
std::vector<std::string> targets();

/// Gives an input to a target, which must end in a value or an Error. All but expressions are read
/// from a file; of a format, the first byte of the input chooses the options and the rest is the
/// file. Whatever else is thrown is a bug.
void feed(std::string_view target, std::string_view input);

}  // namespace espalier::fuzz
