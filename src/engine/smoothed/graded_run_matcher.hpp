#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/differences.hpp"
#include "engine/partial_tree/run_joins.hpp"

namespace espalier {

/// A matcher for GradedRows, like RunMatcher. The rule computes differences without the degree, and
/// has
///     adds_base(forest, u)                whether the differences of u are D itself
///     start_block(rows, columns, forest, index), block_bytes(rows, columns)
///     start_row(forest, u, group)
///     set_base_row(row)                   sets degree times base for each vertex of the group
///     grade(values)                       turns the differences of a whole group into D
template <class Rule>
class GradedRunMatcher : public Rule {
 public:
  using Value = typename Rule::Value;
  using Index = RunIndex;

  /// `memory` is the budget of the whole thread, in bytes.
  GradedRunMatcher(Rule rule, std::size_t memory) : Rule(std::move(rule)), joins_(memory) {}

  std::size_t bytes() const { return joins_.bytes(); }
  void start(const Forest& forest, const RunIndex& index) {
    index_ = &index;
    joins_.start(index, Rule::key_count(forest), Rule::signature_count(forest));
  }

  /// Differences times degrees. Sets `row` to the values D of the whole group, unless it is null.
  template <class RowOf>
  Differences<Value> differences_of(const Forest& forest, VertexId u, std::uint32_t group,
                                    RowOf&& row_of, Value* row) {
    const bool whole = Rule::adds_base(forest, u);
    const RunJoins::Join& join = joins_.of(*this, forest, u, group, whole);
    const bool matches = !join.empty();
    children_.clear();
    if (matches) {  // before start_row(), which this may call
      for (const VertexId child : forest.children(u)) children_.push_back(row_of(child));
    }
    group_ = index_->group(group);
    Rule::start_row(forest, u, group_);
    if (!whole && row != nullptr) Rule::set_base_row(row);
    if (!whole && !matches) return {};
    const std::size_t size = matches ? join.values : group_.size();
    if (values_.size() < size) values_.resize(size);
    // If the differences are D itself, they are computed in place.
    Value* const values = whole && row != nullptr ? row : values_.data();
    if (matches) {
      joins_.compute<Rule, Value>(join, *this, forest, u, group, children_, values);
    } else {
      std::fill_n(values, size, Value(0));
    }
    if (whole) {
      Rule::grade(values);
      return {{&group_, 1}, values};
    }
    const auto ranges = joins_.ranges_of(join);
    if (row != nullptr) add(ranges, values, row);
    return {ranges, values};
  }

 private:
  void add(std::span<const Positions> ranges, const Value* difference, Value* row) const {
    for (const Positions& range : ranges) {
      Value* const out = row + (range.begin - group_.begin);
      for (std::uint32_t k = 0; k < range.size(); ++k) out[k] += *difference++;
    }
  }

  const RunIndex* index_ = nullptr;
  RunJoins joins_;
  std::vector<const Value*> children_;  ///< rows of the children of the current vertex
  std::vector<Value> values_;
  Positions group_{};  ///< of the current vertex
};

}  // namespace espalier
