#pragma once

#include <algorithm>
#include <vector>

#include "kernel/pair_product.hpp"

namespace espalier {

/// What D of two vertices with the same label is, in terms of their children.
template <class Value>
struct PartialTreeParameters {
  Value factor;      ///< mu: D = base + factor * S, S summed over matching children
  Value inner_base;  ///< D of two inner vertices that share no child label
  Value leaf_base;   ///< D when one of them is a leaf
  Value decay;       ///< lambda: for each child skipped between two of a subsequence
  Value step;        ///< factor for each further child of a subsequence: 1, or lambda^2 (gap=span)
  std::size_t max_length = 0;  ///< of a subsequence; 0: no limit
  bool paths_only = false;     ///< subsequences of length 1 (the subpath kernel)
};

/// S of two sequences of children: the sum over all pairs of subsequences of equal length whose
/// children match pairwise, of decay^(children skipped inside) * product of D.
///
/// With acc(a,b) the part of the sum in which the pair (a,b) comes last,
///     acc(a,b) = D(a,b) * (1 + step * sum over a' < a, b' < b of
///                                     decay^((a-a'-1) + (b-b'-1)) acc(a',b'))
/// which needs only the pairs that match. Where these are many, running sums over the full table
/// are cheaper; all terms are positive, so nothing cancels.
template <class Value>
class SubsequenceSum {
 public:
  struct Match {
    std::uint32_t a;
    std::uint32_t b;
    Value d;
    Value acc;
  };

  explicit SubsequenceSum(const PartialTreeParameters<Value>& parameters) : p_(parameters) {
    powers_.push_back(Value(1));
  }

  /// `matches` come in rising order of b, then of a; there are `m` and `n` children.
  Value operator()(std::span<Match> matches, std::size_t m, std::size_t n) {
    const std::size_t count = matches.size();
    if (p_.paths_only) {
      Value sum(0);
      for (const Match& match : matches) sum += match.d;
      return sum;
    }
    const bool table = count > 8 && count * count > 4 * m * n;
    if (p_.max_length != 0 && p_.max_length < std::min(m, n)) {
      return table ? capped_table(matches, m, n) : capped_pairs(matches);
    }
    return table ? whole_table(matches, m, n) : whole_pairs(matches);
  }

  /// What two matches that stand alone weigh together, beside each of them; `shorter` is the number
  /// of children on the side that has fewer.
  Value weight_of_both(const Match& first, const Match& second, std::size_t shorter) {
    const bool capped = p_.max_length == 1 && shorter > 1;
    if (p_.paths_only || capped || !before(first, second)) return Value(0);
    return p_.step * skipped(first, second);
  }

 private:
  static bool before(const Match& y, const Match& x) { return y.a < x.a && y.b < x.b; }

  const Value& skipped(const Match& y, const Match& x) {
    const std::size_t skips = (x.a - y.a - 1) + (x.b - y.b - 1);
    while (powers_.size() <= skips) powers_.push_back(powers_.back() * p_.decay);
    return powers_[skips];
  }

  Value whole_pairs(std::span<Match> matches) {
    Value sum(0);
    for (std::size_t x = 0; x < matches.size(); ++x) {
      Value inside(0);
      for (std::size_t y = 0; y < x; ++y) {
        if (before(matches[y], matches[x])) {
          inside += skipped(matches[y], matches[x]) * matches[y].acc;
        }
      }
      matches[x].acc = matches[x].d * (Value(1) + p_.step * inside);
      sum += matches[x].acc;
    }
    return sum;
  }

  /// The same, length by length.
  Value capped_pairs(std::span<Match> matches) {
    Value sum(0);
    for (Match& match : matches) {
      match.acc = match.d;
      sum += match.d;
    }
    for (std::size_t length = 2; length <= p_.max_length; ++length) {
      // Backwards, so that what is read is still of the length before.
      for (std::size_t x = matches.size(); x-- > 0;) {
        Value inside(0);
        for (std::size_t y = 0; y < x; ++y) {
          if (before(matches[y], matches[x])) {
            inside += skipped(matches[y], matches[x]) * matches[y].acc;
          }
        }
        matches[x].acc = matches[x].d * p_.step * inside;
        sum += matches[x].acc;
      }
    }
    return sum;
  }

  /// before_[a] is the sum over a' < a, b' < b of decay^(..) acc(a',b') for the current b. It is
  /// kept by running sums: column_[a] over b' for one a, and along a.
  void advance(std::span<const Match> in_column, std::size_t m) {
    for (std::size_t a = 0; a < m; ++a) column_[a] *= p_.decay;
    for (const Match& match : in_column) column_[match.a] += match.acc;
    Value running(0);
    for (std::size_t a = 0; a < m; ++a) {
      before_[a] = running;
      running = running * p_.decay + column_[a];
    }
  }

  /// Calls `visit` for the matches of each b in turn, with before_ as it stands for that b.
  template <class Visit>
  void walk_table(std::span<Match> matches, std::size_t m, std::size_t n, Visit&& visit) {
    column_.assign(m, Value(0));
    before_.assign(m, Value(0));
    std::size_t begin = 0;
    for (std::uint32_t b = 0; b < n; ++b) {
      std::size_t end = begin;
      while (end < matches.size() && matches[end].b == b) ++end;
      const std::span<Match> column(matches.data() + begin, end - begin);
      visit(column);
      advance(column, m);
      begin = end;
    }
  }

  Value whole_table(std::span<Match> matches, std::size_t m, std::size_t n) {
    Value sum(0);
    walk_table(matches, m, n, [&](std::span<Match> column) {
      for (Match& match : column) {
        match.acc = match.d * (Value(1) + p_.step * before_[match.a]);
        sum += match.acc;
      }
    });
    return sum;
  }

  Value capped_table(std::span<Match> matches, std::size_t m, std::size_t n) {
    Value sum(0);
    for (Match& match : matches) {
      match.acc = match.d;
      sum += match.d;
    }
    next_.resize(matches.size());
    for (std::size_t length = 2; length <= p_.max_length; ++length) {
      walk_table(matches, m, n, [&](std::span<Match> column) {
        for (Match& match : column) {
          next_[static_cast<std::size_t>(&match - matches.data())] =
              match.d * p_.step * before_[match.a];
        }
      });
      for (std::size_t x = 0; x < matches.size(); ++x) {
        matches[x].acc = next_[x];
        sum += next_[x];
      }
    }
    return sum;
  }

  PartialTreeParameters<Value> p_;
  std::vector<Value> powers_;  ///< of decay
  std::vector<Value> column_;
  std::vector<Value> before_;
  std::vector<Value> next_;
};

/// D of the partial tree kernel, and of the subpath kernel, for two inner vertices with the same
/// label.
template <class V>
class PartialTreeRule {
 public:
  using Value = V;

  explicit PartialTreeRule(const PartialTreeParameters<Value>& parameters)
      : p_(parameters), sum_(parameters) {}

  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  const Value& base() const { return p_.inner_base; }

  std::size_t row(const Forest& forest, VertexId u, const ColumnIndex& index,
                  ColumnIndex::Group group, const Value* const* row_of, Hits<Value> hits) {
    list_children(forest, u, row_of);
    std::size_t count = 0;
    for (std::uint32_t r = group.first_run; r < group.last_run; ++r) {
      const ColumnIndex::Run run = index.runs[r];
      const std::uint32_t first = index.child_begin[run.begin];
      const std::uint32_t n = index.child_begin[run.begin + 1] - first;
      match({index.child_key.data() + first, n});
      if (matches_.empty()) continue;
      for (std::uint32_t p = run.begin; p < run.end; ++p)
        hits.rank[count + p - run.begin] = p - group.begin;
      add_run(index.child_rank.data() + first, n, hits.extra + count, run.end - run.begin);
      count += run.end - run.begin;
    }
    for (const Child& child : children_) place_of_[child.label] = none;
    return count;
  }

 private:
  using Match = typename SubsequenceSum<Value>::Match;
  struct Child {
    LabelId label;
    std::uint32_t next;  ///< the next child with this label, or none
    bool leaf;
    const Value* row;
  };

  const Value& value(const Child& child, std::uint32_t rank) const {
    if (child.leaf || rank == none) return p_.leaf_base;
    return child.row != nullptr ? child.row[rank] : p_.inner_base;
  }

  /// Which children of u have the same label as which of these: the same for a whole run.
  void match(std::span<const std::uint32_t> labels) {
    matches_.clear();
    for (std::uint32_t b = 0; b < labels.size(); ++b) {
      for (std::uint32_t a = place_of_[labels[b]]; a != none; a = children_[a].next) {
        matches_.push_back({a, b, {}, {}});
      }
    }
  }

  /// The extras of a run: the matches are known, only the values of the children differ. `ranks`
  /// are those of the children, n for each column.
  void add_run(const std::uint32_t* ranks, std::size_t n, Value* extras, std::size_t columns) {
    const Match& x = matches_.front();
    const Match& y = matches_.back();
    if (matches_.size() == 1) {
      for (std::size_t k = 0; k < columns; ++k, ranks += n) {
        extras[k] = p_.factor * value(children_[x.a], ranks[x.b]);
      }
    } else if (matches_.size() == 2) {
      const Value together = sum_.weight_of_both(x, y, std::min(children_.size(), n));
      for (std::size_t k = 0; k < columns; ++k, ranks += n) {
        const Value& first = value(children_[x.a], ranks[x.b]);
        const Value& second = value(children_[y.a], ranks[y.b]);
        extras[k] = p_.factor * (first + second + together * first * second);
      }
    } else {
      for (std::size_t k = 0; k < columns; ++k, ranks += n) {
        for (Match& m : matches_) m.d = value(children_[m.a], ranks[m.b]);
        extras[k] = p_.factor * sum_(matches_, children_.size(), n);
      }
    }
  }

  void list_children(const Forest& forest, VertexId u, const Value* const* row_of) {
    place_of_.resize(forest.labels().size(), none);
    const auto children = forest.children(u);
    children_.resize(children.size());
    for (auto a = static_cast<std::uint32_t>(children.size()); a-- > 0;) {
      const VertexId c = children[a];
      children_[a] = {forest.label(c), place_of_[forest.label(c)], forest.is_leaf(c), row_of[c]};
      place_of_[forest.label(c)] = a;
    }
  }

  PartialTreeParameters<Value> p_;
  SubsequenceSum<Value> sum_;
  std::vector<std::uint32_t> place_of_;  ///< per label: the first child of u that has it, or none
  std::vector<Child> children_;
  std::vector<Match> matches_;
};

}  // namespace espalier
