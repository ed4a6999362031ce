#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "espalier/base/error.hpp"

namespace espalier::test {

/// What an action threw.
struct Failure {
  std::string message;
  std::optional<Location> location;  ///< of an InputError

  /// "line:column", or "" when the failure has no place.
  std::string place() const {
    if (!location) return "";
    return std::to_string(location->line) + ":" + std::to_string(location->column);
  }
};

/// Runs `action`, which must throw an espalier::Error; reports a failed test if it does not.
template <class Action>
Failure failure_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return {error.what(), error.location()};
  } catch (const Error& error) {
    return {error.what(), {}};
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not an espalier::Error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// For EXPECT_TRUE: whether `text` holds `part`; shows both if not.
inline testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << text << "' does not contain '" << part << "'";
}

/// For EXPECT_TRUE: whether the action throws an Error that says `part`.
template <class Action>
testing::AssertionResult fails_with(std::string_view part, Action&& action) {
  return contains(failure_of(action).message, part);
}

}  // namespace espalier::test
