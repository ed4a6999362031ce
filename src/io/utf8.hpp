#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

/// How many bytes at the beginning are whole characters of valid UTF-8. Linear.
std::size_t valid_utf8(std::string_view bytes);

/// Whether `bytes`, which no valid character begins, could become one by more bytes behind them.
bool cut_off_utf8(std::string_view bytes);

/// Appends a character. Requires code < 0x110000, no surrogate.
void append_utf8(std::string& out, std::uint32_t code);

}  // namespace espalier
