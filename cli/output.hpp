#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/io/sink.hpp"

namespace espalier::cli {

/// Whether this is standard output, a device or a pipe.
bool is_stream(const std::string& path);

/// The suffix of a name, before ".gz".
std::string suffix_of(const std::string& path);

/// The suffix of an output, before ".gz", which is one of these; "" stands for a name without one.
/// Standard output and devices have no name: the first. Throws Error if it is another suffix, as
/// the file would not hold what its name says.
std::string output_suffix(const std::string& path,
                          std::initializer_list<std::string_view> accepted);

/// Throws Error if an output is the same file as an input or another output. Names that are empty
/// are of files that were not asked for.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// The output, if it was asked for.
std::optional<Sink> open_if_named(const std::string& path);

/// Writes and commits.
void finish(Sink& sink, std::string_view text);

/// Prints to standard output at once. Throws Error if that fails.
void print(std::string_view text);

/// A line on standard error, made printable. Never fails: there is no other place to report it.
void tell(std::string_view line);

}  // namespace espalier::cli
