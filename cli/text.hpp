#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::cli {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

/// "1 tree", "1,234 trees".
std::string counted(std::uint64_t number, std::string_view what, std::string_view plural_end = "s");

}  // namespace espalier::cli
