#pragma once

#include <nanobind/nanobind.h>

#include <ranges>
#include <string>
#include <type_traits>

#include "bindings.hpp"

namespace espalier::python {

/// A struct that lists its fields() as a dict; what can be walked, but for text, as a list; what is
/// absent as None.
template <class T>
nanobind::object to_object(const T& value) {
  if constexpr (requires { value.fields([](auto&&...) {}); }) {
    nanobind::dict out;
    value.fields([&](const char* name, const auto& member) { out[name] = to_object(member); });
    return out;
  } else if constexpr (requires { value.has_value(); }) {
    return value ? to_object(*value) : nanobind::none();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return to_python(value, "replace");  // as in the program's JSON
  } else if constexpr (std::ranges::range<T>) {
    nanobind::list out;
    for (const auto& element : value) out.append(to_object(element));
    return out;
  } else {
    return nanobind::cast(value);
  }
}

}  // namespace espalier::python
