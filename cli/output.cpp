#include "output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "espalier/base/error.hpp"

namespace espalier::cli {

namespace {

namespace fs = std::filesystem;

/// "-" as the file that it is redirected to.
fs::path file_of(const std::string& path, const char* standard) {
  return path == "-" ? standard : path;
}

std::string shown(const std::string& path) { return path == "-" ? "standard output" : path; }

/// Whether both are the same file, or will be. Devices are not files: each may serve as several.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (fs::exists(a, ignored) && fs::exists(b, ignored)) {
    return fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored);
  }
  return fs::weakly_canonical(fs::absolute(a, ignored), ignored) ==
         fs::weakly_canonical(fs::absolute(b, ignored), ignored);
}

/// ".svg, .json or no suffix".
std::string listed(std::initializer_list<std::string_view> suffixes) {
  std::vector<std::string_view> names(suffixes);
  std::ranges::replace(names, "", "no suffix");
  const std::string_view last = names.back();
  names.pop_back();
  return names.empty() ? std::string(last) : fmt::format("{} or {}", fmt::join(names, ", "), last);
}

}  // namespace

bool is_stream(const std::string& path) {
  std::error_code ignored;
  return path == "-" || fs::is_other(path, ignored);
}

std::string suffix_of(const std::string& path) {
  fs::path name = fs::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.extension().string();
}

std::string output_suffix(const std::string& path,
                          std::initializer_list<std::string_view> accepted) {
  if (is_stream(path)) return std::string(*accepted.begin());
  std::string suffix = suffix_of(path);
  if (std::ranges::find(accepted, suffix) != accepted.end()) return suffix;
  throw Error(fmt::format("the name {} does not fit what is written: give it {}", in_quotes(path),
                          listed(accepted)));
}

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k].empty()) continue;
    const fs::path output = file_of(outputs[k], "/dev/stdout");
    for (const std::string& input : inputs) {
      if (!input.empty() && same_file(output, file_of(input, "/dev/stdin"))) {
        throw Error(shown(outputs[k]) + " is an input: choose another name for the output");
      }
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (outputs[other].empty()) continue;
      if (outputs[other] == outputs[k] ||
          same_file(output, file_of(outputs[other], "/dev/stdout"))) {
        throw Error(shown(outputs[k]) +
                    " would be written twice: choose another name for one output");
      }
    }
  }
}

std::optional<Sink> open_if_named(const std::string& path) {
  return path.empty() ? std::nullopt : std::optional<Sink>(path);
}

void finish(Sink& sink, std::string_view text) {
  sink.write(text);
  sink.commit();
}

void print(std::string_view text) {
  Sink output("-");
  finish(output, text);
}

void tell(std::string_view line) {
  const std::string text = printable(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace espalier::cli
