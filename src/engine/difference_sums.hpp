#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/differences.hpp"
#include "engine/fast_paths.hpp"
#include "engine/kept_sums.hpp"

namespace espalier {

/// Sums differences over the columns of a block, each times its counts.
template <class Value>
class DifferenceSums {
 public:
  /// `outputs`: the columns are the outputs of a model.
  void start(const ColumnGroups& index, std::size_t columns, bool outputs) {
    index_ = &index;
    narrow_ = is_narrow(columns, outputs);
    may_be_single_ = FastPaths::used().single_columns;
    sums_.assign(columns, Value(0));
    in_sums_.assign(columns, 0);
    touched_.resize(columns);
    listed_.resize(columns);
    if (narrow_) lay_out_counts();
  }
  static std::size_t bytes(const ColumnGroups& index, std::size_t columns, bool outputs) {
    return is_narrow(columns, outputs) ? narrow * index.vertices().size() * sizeof(Value) : 0;
  }

  /// Adds the sums, times `count`, to a row of the output.
  void add(const Differences<Value>& differences, std::uint32_t group, const Value& count,
           Value* row) {
    if (narrow_ || !may_be_single_ || !index_->is_single(group)) {
      sum(differences).add_to(row, count);
      return;
    }
    // Same bits: each column has one addend.
    for_each(differences,
             [&](std::uint32_t j, const Value& difference) { row[j] += count * difference; });
  }
  /// Valid until the next call.
  ColumnSum<Value> sum(const Differences<Value>& differences) {
    return narrow_ ? sum_narrow(differences) : sum_listed(differences);
  }

 private:
  /// Whether there are so few columns (the outputs of a model) that each position stores a dense
  /// row of counts. Only for outputs: an infinite D times a count of 0 is nan.
  static bool is_narrow(std::size_t columns, bool outputs) {
    return std::is_same_v<Value, double> && columns <= narrow && outputs &&
           FastPaths::used().narrow_outputs;
  }

  void lay_out_counts() {
    counts_.assign(narrow * index_->postings.size(), Value(0));
    for (std::size_t p = 0; p < index_->postings.size(); ++p) {
      for (const auto& e : index_->postings.of(p)) counts_[narrow * p + e.index] = Value(e.value);
    }
  }

  /// All columns in parallel.
  ColumnSum<Value> sum_narrow(const Differences<Value>& differences) {
    Value local[narrow] = {};
    const Value* difference = differences.values;
    for (const Positions& range : differences.ranges) {
      const Value* counts = counts_.data() + narrow * range.begin;
      for (std::uint32_t p = range.begin; p < range.end; ++p, counts += narrow, ++difference) {
        for (std::size_t j = 0; j < narrow; ++j) local[j] += *difference * counts[j];
      }
    }
    for (const std::uint32_t p : differences.positions) {
      const Value* const counts = counts_.data() + narrow * p;
      for (std::size_t j = 0; j < narrow; ++j) local[j] += *difference * counts[j];
      ++difference;
    }
    std::copy_n(local, sums_.size(), sums_.data());
    return {nullptr, sums_.data(), static_cast<std::uint32_t>(sums_.size())};
  }

  /// Calls visit(column, difference * count) for every column of every difference.
  template <class Visit>
  void for_each(const Differences<Value>& differences, Visit&& visit) const {
    const Value* difference = differences.values;
    const std::uint32_t* const only = index_->only.data();
    const auto visit_all = [&](std::uint32_t p, const Value& value) {
      for (const auto& e : index_->postings.of(p)) visit(e.index, value * Value(e.value));
    };
    for (const std::uint32_t p : differences.positions) {
      if (only[p] != none) {
        visit(only[p], *difference++);
      } else {
        visit_all(p, *difference++);
      }
    }
    for (const Positions& range : differences.ranges) {
      for (std::uint32_t p = range.begin; p < range.end; ++p) {
        const std::uint32_t shared = std::min(range.end, index_->next_shared[p]);
        const std::uint32_t plain = shared - p;
        for (std::uint32_t k = 0; k < plain; ++k) visit(only[p + k], difference[k]);
        difference += plain;
        p = shared;
        if (p < range.end) visit_all(p, *difference++);
      }
    }
  }

  /// Sums the differences per column: for all columns, or only for those that have any.
  ColumnSum<Value> sum_listed(const Differences<Value>& differences) {
    const auto columns = static_cast<std::uint32_t>(sums_.size());
    if (6 * differences.size() >= columns) {
      std::fill_n(listed_.data(), columns, Value(0));
      for_each(differences,
               [&](std::uint32_t j, const Value& difference) { listed_[j] += difference; });
      return {nullptr, listed_.data(), columns};
    }
    std::uint32_t count = 0;
    for_each(differences, [&](std::uint32_t j, const Value& difference) {
      if (std::exchange(in_sums_[j], 1) == 0) touched_[count++] = j;
      sums_[j] += difference;
    });
    for (std::uint32_t k = 0; k < count; ++k) {
      listed_[k] = std::exchange(sums_[touched_[k]], Value(0));
      in_sums_[touched_[k]] = 0;
    }
    return {touched_.data(), listed_.data(), count};
  }

  const ColumnGroups* index_ = nullptr;
  std::vector<Value> sums_;             ///< per column; 0 between uses
  std::vector<std::uint8_t> in_sums_;   ///< per column; 0 between uses
  std::vector<std::uint32_t> touched_;  ///< the columns in sums_
  std::vector<Value> listed_;           ///< the values of a sum

  static constexpr std::size_t narrow = 8;
  bool narrow_ = false;
  bool may_be_single_ = true;
  std::vector<Value> counts_;  ///< of narrow blocks: `narrow` counts per position
};

}  // namespace espalier
