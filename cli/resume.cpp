#include "resume.hpp"

#include <fmt/format.h>

#include "espalier/base/error.hpp"
#include "espalier/version.hpp"
#include "output.hpp"

namespace espalier::cli {

void ResumeOption::add_to(CLI::App& command, const std::string& kept) {
  command.add_flag("--resume", given,
                   fmt::format("keep {}, and go on from there if a run with this option was "
                               "interrupted",
                               kept));
}

std::unique_ptr<PartFile> ResumeOption::open(const std::string& output,
                                             const std::function<std::string()>& request) const {
  if (!given) return nullptr;
  if (is_stream(output)) {
    throw Error("--resume needs an output file: a stream cannot be gone on with");
  }
  return std::make_unique<PartFile>(output + ".part", fmt::format("{}\n{}", version, request()));
}

}  // namespace espalier::cli
