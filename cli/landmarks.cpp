#include "landmarks.hpp"

#include <map>

#include "work.hpp"

namespace espalier::cli {

namespace {

const std::map<std::string, LandmarkPolicy> policies = {{"uniform", LandmarkPolicy::uniform},
                                                        {"kmeans++", LandmarkPolicy::kmeans},
                                                        {"leverage", LandmarkPolicy::leverage},
                                                        {"classwise", LandmarkPolicy::classwise},
                                                        {"support", LandmarkPolicy::support}};
const std::map<std::string, SetWeights> weightings = {{"equal", SetWeights::equal},
                                                      {"error", SetWeights::error}};

}  // namespace

void LandmarkOptions::add_to(CLI::App& command, const std::string& who) {
  command
      .add_option("--landmarks", landmarks,
                  who + "vectors by comparing with so many examples (Nystroem)")
      ->check(above_zero);
  command
      .add_option_function<std::string>(
          "--policy", [this](const std::string& name) { policy = policies.at(name); },
          "which examples are landmarks: uniform [default], kmeans++, leverage, classwise or "
          "support")
      ->check(CLI::IsMember(policies));
  command.add_option("--sets", sets, "so many sets of landmarks, each with a vector of its own")
      ->check(above_zero)
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--set-weights", [this](const std::string& name) { set_weights = weightings.at(name); },
          "how much each set counts: equal [default], or error: less if it is less exact")
      ->check(CLI::IsMember(weightings));
}

std::optional<NystroemOptions> LandmarkOptions::options(std::uint64_t seed) const {
  if (landmarks == 0) {
    if (policy || sets > 1) {
      throw Error("--policy and --sets choose landmarks: say how many with --landmarks");
    }
    return std::nullopt;
  }
  return NystroemOptions{.landmarks = landmarks,
                         .policy = policy.value_or(LandmarkPolicy::uniform),
                         .seed = seed,
                         .sets = sets,
                         .set_weights = set_weights};
}

}  // namespace espalier::cli
