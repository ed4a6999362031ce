#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace espalier::test {

/// Where real data sets and the values of other programs are kept, which are not part of this
/// project: $ESPALIER_SHARED, or ../shared beside the project. It may not exist.
inline std::string shared_folder() {
  const char* const shared = std::getenv("ESPALIER_SHARED");
  return shared != nullptr ? std::string(shared) : std::string(ESPALIER_ROOT) + "/../shared";
}

/// The path of a data set; may not exist.
inline std::string shared_data(const std::string& name) {
  return shared_folder() + "/data/" + name;
}

/// The path of a file with values that other programs compute; may not exist.
inline std::string shared_reference(const std::string& name) {
  return shared_folder() + "/reference/" + name;
}

}  // namespace espalier::test

/// Skips the test when the data set is not there.
#define ESPALIER_NEEDS_DATA(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs " << (path) << ", which is not here"
