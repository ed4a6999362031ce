#include "landmarks.hpp"

#include <map>

#include "work.hpp"

namespace espalier::cli {

namespace {

const std::map<std::string, LandmarkPolicy> policies = {{"uniform", LandmarkPolicy::uniform},
                                                        {"kmeans++", LandmarkPolicy::kmeans},
                                                        {"leverage", LandmarkPolicy::leverage},
                                                        {"classwise", LandmarkPolicy::classwise}};

}  // namespace

void LandmarkOptions::add_to(CLI::App& command, const std::string& who) {
  command
      .add_option("--landmarks", landmarks,
                  who + "vectors by comparing with so many examples (Nystroem)")
      ->check(above_zero);
  command
      .add_option_function<std::string>(
          "--policy", [this](const std::string& name) { policy = policies.at(name); },
          "which examples are landmarks: uniform [default], kmeans++, leverage or classwise")
      ->check(CLI::IsMember(policies));
}

std::optional<NystroemOptions> LandmarkOptions::options(std::uint64_t seed) const {
  if (landmarks == 0) {
    if (policy) throw Error("--policy chooses landmarks: say how many with --landmarks");
    return std::nullopt;
  }
  return NystroemOptions{
      .landmarks = landmarks, .policy = policy.value_or(LandmarkPolicy::uniform), .seed = seed};
}

}  // namespace espalier::cli
