#pragma once

#include <CLI/CLI.hpp>

#include "espalier/base/error.hpp"
#include "espalier/io/read_options.hpp"
#include "espalier/model/model.hpp"
#include "parameters.hpp"

namespace espalier::cli {

/// Adds the options of every command that reads data: --format, how documents and sentences become
/// trees, limits.
/// Returns the flags, which as_trained() needs.
std::shared_ptr<ParameterFlags> add_read_options(CLI::App& command, ReadOptions& options);

/// Adds --vectors to a command that uses a model.
void add_vectors_option(CLI::App& command, std::string& vectors);
/// The model, with word vectors from there: a file, "none", or "" for the one of training.
Model load_model_with(const std::string& path, const std::string& vectors);

/// The options with those that the model's training data was read with, unless they were given.
ReadOptions as_trained(const ReadOptions& options, const ParameterFlags& given, const Model& model);

/// What read() returns; if that is an InputError and options came from the model, it says so.
template <class Read>
auto read_as_trained(const Model& model, Read&& read) {
  try {
    return read();
  } catch (const InputError& error) {
    if (!model.provenance.reading || model.provenance.reading->empty()) throw;
    throw error.followed_by(
        "; unless options say otherwise, data is read as in training: see `espalier info`");
  }
}

/// Prints what is suspicious about data for a model; with `strict` it is an Error.
void check_data(const Model& model, const Dataset& data, bool strict);

}  // namespace espalier::cli
