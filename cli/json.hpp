#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <string>

namespace espalier::cli {

using Json = nlohmann::ordered_json;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// A struct that lists its fields() as an object; what can be walked, but for text, as an array;
/// what is absent as null.
template <class T>
Json to_json(const T& value) {
  if constexpr (requires { value.fields([](auto&&...) {}); }) {
    Json out = Json::object();
    value.fields([&](const char* name, const auto& member) { out[name] = to_json(member); });
    return out;
  } else if constexpr (is_optional<T>) {
    return value ? to_json(*value) : Json();
  } else if constexpr (std::ranges::range<T> && !std::is_same_v<T, std::string>) {
    Json out = Json::array();
    for (const auto& element : value) out.push_back(to_json(element));
    return out;
  } else {
    return value;
  }
}

/// Labels are bytes; what is not UTF-8 shows as U+FFFD.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::cli
