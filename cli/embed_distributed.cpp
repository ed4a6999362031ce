#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "commands.hpp"
#include "embed.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/distributed/rows.hpp"
#include "espalier/gram/fingerprint.hpp"
#include "espalier/io/format.hpp"
#include "reading.hpp"

namespace espalier::cli {

namespace {

/// The name of an example in messages.
std::string name_of_example(const Dataset& data, std::size_t i) {
  const TextColumn* ids = ids_of(data);
  return ids == nullptr ? fmt::format("example {}", i + 1)
                        : fmt::format("example {} ({})", i + 1, ids->texts[i].value_or(""));
}

/// Distributed trees of the examples of a data set.
class DistributedRows {
 public:
  DistributedRows(const EmbedCommand& options, const Dataset& data)
      : options_(options),
        data_(data),
        column_(data.trees(options.tree)),
        forest_(data.forests()[column_.forest].value),
        embedding_(options.distributed) {}

  /// The rows of these examples, plain, and the examples that do not fit as they are.
  std::pair<Matrix<float>, std::vector<std::uint32_t>> compute(
      std::span<const std::uint32_t> examples, const Context& context) const {
    std::vector<TreeId> trees;
    for (const std::uint32_t i : examples) trees.push_back(column_.trees[i]);
    Matrix<float> rows(examples.size(), options_.distributed.dim);
    const auto exponents = embedding_.transform_scaled(forest_, trees, rows.data(), context);
    std::vector<std::uint32_t> outside;
    for (const std::size_t i : finish_rows(rows, exponents, options_.normalize)) {
      outside.push_back(examples[i]);
    }
    return {std::move(rows), std::move(outside)};
  }

  /// Throws Error or warns, as the user wishes.
  void report(const std::vector<std::uint32_t>& outside) const {
    if (outside.empty()) return;
    if (options_.on_error == OnError::stop) {
      throw Error(name_of_example(data_, outside[0]) +
                  ": its vector is outside the range of single precision; --normalize writes "
                  "vectors of length 1, which always fit, and --on-error skip or zero goes on");
    }
    std::vector<std::string> names;
    for (const std::uint32_t i : outside) {
      if (names.size() == 10) {
        names.emplace_back("..");
        break;
      }
      names.push_back(name_of_example(data_, i));
    }
    warn(fmt::format("{} outside the range of single precision, {}: {}",
                     counted(outside.size(), "vector"),
                     options_.on_error == OnError::skip ? "skipped" : "written as zeros",
                     fmt::join(names, ", ")));
  }

  std::string request() const {
    const DistributedTreeOptions& o = options_.distributed;
    return fmt::format("dtk {} {} {} {} {} {} {} {} {}\n{} {}", o.dim, o.decay, name_of(o.compose),
                       name_of(o.fragments), name_of(o.recipe), o.arity, o.seed, options_.normalize,
                       name_of(options_.on_error), to_string(column_.slot), fingerprint(data_));
  }

 private:
  const EmbedCommand& options_;
  const Dataset& data_;
  const TreeColumn& column_;
  const Forest& forest_;
  DistributedTrees embedding_;
};

/// The examples without those that do not fit.
std::vector<std::uint32_t> fitting(const DistributedRows& rows,
                                   const std::vector<std::uint32_t>& examples, std::size_t together,
                                   const Context& context) {
  std::vector<std::uint32_t> outside, out;
  for (std::size_t begin = 0; begin < examples.size(); begin += together) {
    const auto some =
        std::span(examples).subspan(begin, std::min(together, examples.size() - begin));
    const auto found = rows.compute(some, context).second;
    outside.insert(outside.end(), found.begin(), found.end());
  }
  rows.report(outside);
  std::ranges::set_difference(examples, outside, std::back_inserter(out));
  return out;
}

}  // namespace

void embed_distributed(const EmbedCommand& options) {
  RowWriter writer(options);
  const Dataset data = read(options.data, options.read);
  const DistributedRows distributed(options, data);
  const std::size_t dimension = options.distributed.dim;
  const Context context = options.work.context("embed");
  // A run that is interrupted loses what was computed together.
  const std::size_t most =
      std::max<std::size_t>(1, context.memory / 4 / (sizeof(float) * dimension));
  const std::size_t together = options.resume.given ? std::min<std::size_t>(most, 256) : most;
  std::vector<std::uint32_t> examples(data.size());
  std::iota(examples.begin(), examples.end(), 0U);
  if (options.on_error == OnError::skip && !options.normalize) {
    examples = fitting(distributed, examples, together, context);
  }
  std::vector<std::uint32_t> zeros;
  const auto compute = [&](std::size_t begin, std::size_t end, const Context& quiet) {
    auto [rows, outside] =
        distributed.compute(std::span(examples).subspan(begin, end - begin), quiet);
    if (options.on_error == OnError::stop) distributed.report(outside);
    zeros.insert(zeros.end(), outside.begin(), outside.end());
    return std::move(rows);
  };
  write_all(options,
            {.count = examples.size(),
             .columns = dimension,
             .together = together,
             .request = [&] { return distributed.request(); },
             .compute = compute},
            writer, context);
  distributed.report(zeros);
  tell(fmt::format("{}: {}, {}", options.output, counted(examples.size(), "row"),
                   counted(dimension, "column")));
}

}  // namespace espalier::cli
