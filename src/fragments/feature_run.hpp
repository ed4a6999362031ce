#pragma once

#include <memory>
#include <vector>

#include "espalier/base/sparse_matrix.hpp"
#include "fragments/feature_terms.hpp"
#include "fragments/fragment_walk.hpp"

namespace espalier {

/// A tree kernel on the trees of a data set.
class TermRun {
 public:
  TermRun(const FeatureTerm& term, const FragmentSet& set, const KernelState& state,
          const Dataset& data);

  /// The columns of an example, ascending; not scaled.
  using Row = std::vector<std::pair<std::uint32_t, double>>;

  /// Finds the fragments of these examples. Returns false if there are more than `most`.
  bool find(Slice examples, std::size_t most, const Context& context);
  /// The fragments rooted at a vertex of these examples.
  std::span<const RootedFragment> at(VertexId v) const;
  /// Requires find() with this example.
  Row row(std::size_t example) const;

  const Forest& forest() const { return *input_.forest; }
  /// The value of a vertex that occurs so often, for the fragments rooted there.
  double feature(double count) const;
  /// Of an example.
  std::size_t vertices(std::size_t example) const { return (*input_.rows)[example].size(); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::vector<VertexId>> pieces(Slice examples, std::size_t count) const;

  const FeatureTerm& term_;
  const FragmentSet& set_;
  std::vector<std::string> names_;
  TreeInput input_;
  std::unique_ptr<FragmentSpace> space_;
  FragmentKeys keys_;
  std::vector<RootedFragment> found_;  ///< by root
  std::vector<std::uint64_t> begin_;   ///< per vertex, and one more: into found_
};

/// All tree kernels of a kernel on the trees of a data set.
class FeatureRun {
 public:
  /// With `hashed`, norms are those of the hashed vectors.
  FeatureRun(const FeatureTerms& terms, std::span<const FragmentSet> sets, const KernelState& state,
             const Dataset& data, bool hashed, const Context& context);

  /// The columns of an example for each term, and what they are to be multiplied by.
  struct Rows {
    std::vector<TermRun::Row> terms;
    std::vector<double> scales;
  };

  /// Calls use(slice) for blocks of examples whose fragments fit the memory together.
  template <class Use>
  void for_each_block(const Context& context, Use&& use) {
    Slice block{0, first_block()};
    while (block.begin < size_) {
      if (!find(block)) {
        block.end = block.begin + (block.size() + 1) / 2;
        continue;
      }
      use(block);
      if (context.progress) {
        context.progress(static_cast<double>(block.end) / static_cast<double>(size_));
      }
      block = {block.end, std::min(size_, block.end + block.size())};
    }
  }
  /// Of an example in the block.
  Rows rows(std::size_t example) const;
  const std::vector<TermRun>& terms() const { return runs_; }

 private:
  std::size_t first_block() const;
  /// Returns false if the fragments of a block do not fit the memory; those of one example do.
  bool find(Slice block);

  const FeatureTerms& terms_;
  std::size_t size_;
  Context quiet_;
  std::vector<TermRun> runs_;
  std::vector<std::vector<double>> lengths_;  ///< per norm and example; empty if hashed
};

}  // namespace espalier
