#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "espalier/distributed/options.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/embed/quantize.hpp"
#include "espalier/fragments/fragment_features.hpp"
#include "espalier/io/matrix.hpp"
#include "espalier/io/read_options.hpp"
#include "output.hpp"
#include "parameters.hpp"
#include "resume.hpp"
#include "work.hpp"

namespace espalier::cli {

enum class EmbedMethod { subtree, dtk, nystroem, pca, fragments, hashed_fragments };
constexpr std::array<const char*, 6> names_of(EmbedMethod) {
  return {"subtree", "dtk", "nystroem", "pca", "fragments", "hashed-fragments"};
}

/// What happens to vectors outside the range of single precision.
enum class OnError { stop, skip, zero };
constexpr std::array<const char*, 3> names_of(OnError) { return {"stop", "skip", "zero"}; }

struct EmbedCommand {
  EmbedMethod method = EmbedMethod::subtree;
  std::string data;
  std::string output;
  std::string kernel;
  std::string model;
  std::string fit;
  std::string from;
  std::string names;
  std::string tree;
  std::size_t components = 2;
  std::string plot;
  std::string scales;
  DistributedTreeOptions distributed;
  bool normalize = false;
  OnError on_error = OnError::stop;
  NystroemOptions nystroem;
  std::size_t top = 5000;
  bool binary = false;
  HashedFragmentOptions hashed;
  ParameterFlags flags;
  ResumeOption resume;
  ReadOptions read;
  WorkOptions work;

  static void describe(auto& self, auto&& field) {
    field(
        "method", self.method,
        "subtree: sparse, a column for each distinct subtree; dtk: distributed trees; nystroem: "
        "any kernel, by landmarks; pca: kernel PCA, exact if all examples are landmarks; "
        "fragments: "
        "sparse, a column for each of the heaviest fragments of a model; hashed-fragments: sparse, "
        "all fragments up to a size",
        {.common = true});
    field("kernel", self.kernel,
          "kernel expression; subtree: st(..), linear(..), their norms and sums",
          {.alias = "k", .users = "subtree, nystroem, pca, hashed-fragments", .common = true});
    field("from", self.from, "model whose fragments are the columns",
          {.users = "fragments", .common = true});
    field("top", self.top, "number of fragments of each class",
          {.range = {1}, .users = "fragments", .common = true});
    field("binary", self.binary,
          "write whether a fragment occurs, in rows of length 1, instead of its value",
          {.users = "fragments"});
    HashedFragmentOptions::describe(self.hashed, used_by("hashed-fragments", field));
    field("model", self.model, "use the kernel of this model, with its learned weights",
          {.users = "subtree, nystroem, pca"});
    field("fit", self.fit, "file to fit to, which determines the columns",
          {.users = "subtree, nystroem, pca", .common = true});
    field("names", self.names, "file for the column names", {.users = "subtree, fragments"});
    field("tree", self.tree, "name of the tree, if there are several", {.users = "dtk"});
    DistributedTreeOptions::describe(self.distributed, used_by("dtk", field));
    field("normalize", self.normalize, "scale each vector to length 1, which always fits",
          {.users = "dtk", .common = true});
    field("on_error", self.on_error,
          "vectors outside the range of single precision: stop, skip them (which computes all "
          "vectors twice), or write zeros; vectors of length 1 always fit",
          {.users = "dtk"});
    NystroemOptions::describe(self.nystroem, used_by("nystroem, pca", field));
    field("int8", self.scales,
          "quantise to one byte per number; this .npy file gets the scale of each row",
          {.users = "dtk, nystroem"});
    field("components", self.components, "number of components",
          {.range = {1, 1e6}, .users = "pca"});
    field("plot", self.plot,
          "scatter plot of the first two components, .svg or .html, coloured by class",
          {.users = "pca"});
    field("resume", self.resume.given,
          "keep finished rows in OUTPUT.part, and continue an interrupted run",
          {.users = "dtk, nystroem"});
  }
};

template <class T>
std::string_view bytes_of(const Matrix<T>& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.rows() * rows.columns() * sizeof(T)};
}

/// Writes rows one after the other: as they are, or as bytes with a scale for each.
class RowWriter {
 public:
  explicit RowWriter(const EmbedCommand& options)
      : sink_(options.output), scales_(open_if_named(options.scales)) {}
  void start(std::size_t rows, std::size_t columns) {
    if (!scales_) {
      write_npy_header<float>(sink_, rows, columns);
    } else {
      write_npy_header<std::int8_t>(sink_, rows, columns);
      write_npy_header<float>(*scales_, rows, 1);
    }
  }
  void write(const Matrix<float>& rows) {
    if (!scales_) {
      sink_.write(bytes_of(rows));
      return;
    }
    const QuantizedRows bytes = quantize(rows);
    sink_.write(bytes_of(bytes.codes));
    scales_->write(
        {reinterpret_cast<const char*>(bytes.scales.data()), bytes.scales.size() * sizeof(float)});
  }
  void commit() {
    sink_.commit();
    if (scales_) scales_->commit();
  }

 private:
  Sink sink_;
  std::optional<Sink> scales_;
};

/// What the rows of an output are and how they come about.
struct Rows {
  std::size_t count = 0;
  std::size_t columns = 0;
  std::size_t together = 0;              ///< how many to compute at a time
  std::function<std::string()> request;  ///< what tells them from others
  std::function<Matrix<float>(std::size_t begin, std::size_t end, const Context& context)> compute;
};

/// Some rows after the other, so that the matrix need not fit the memory.
void write_all(const EmbedCommand& options, const Rows& rows, RowWriter& writer,
               const Context& context);

/// --method dtk.
void embed_distributed(const EmbedCommand& options);

}  // namespace espalier::cli
