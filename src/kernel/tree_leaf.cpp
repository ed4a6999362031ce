#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/lanes.hpp"
#include "kernel/leaf.hpp"
#include "kernel/partial_tree_rule.hpp"
#include "kernel/subset_tree_rule.hpp"

namespace espalier {

namespace {

/// How often each key occurs in an example: among all its nodes, and among the inner ones. With
/// these, what all pairs of nodes with equal keys add up to at their base value is two products.
struct KeyCounts {
  Features all;
  Features inner;
};

/// `key` gives the key of a vertex, or none if it does not count.
template <class Key>
KeyCounts count_keys(const Bags& bags, std::size_t keys, Key&& key) {
  KeyCounts out;
  out.all.count = out.inner.count = keys;
  struct Counts {
    double all = 0;
    double inner = 0;
    bool seen = false;
  };
  std::vector<Counts> counts(keys);
  std::vector<std::uint32_t> seen;
  for (std::size_t i = 0; i < bags.size(); ++i) {
    seen.clear();
    const Bag& bag = bags[i];
    for (std::size_t at = 0; at < bag.size(); ++at) {
      const std::uint32_t k = key(bag.vertex(at));
      if (k == none) continue;
      if (!std::exchange(counts[k].seen, true)) seen.push_back(k);
      counts[k].all += bag.count(at);
      if (!bags.forest().is_leaf(bag.vertex(at))) counts[k].inner += bag.count(at);
    }
    if (8 * seen.size() > keys) {
      // Nearly all of them, as in the bags of a model: looking is faster than sorting.
      seen.clear();
      for (std::uint32_t k = 0; k < keys; ++k) {
        if (counts[k].seen) seen.push_back(k);
      }
    } else {
      std::ranges::sort(seen);
    }
    for (const std::uint32_t k : seen) {
      out.all.add(k, counts[k].all);
      if (counts[k].inner != 0) out.inner.add(k, counts[k].inner);
      counts[k] = {};
    }
    out.all.finish_example();
    out.inner.finish_example();
  }
  return out;
}

KeyCounts count_for(const Bags& bags, const TreeKernelNode& kernel) {
  const Forest& forest = bags.forest();
  if (const auto* subset = std::get_if<SubsetTreeOptions>(&kernel.options)) {
    return count_keys(bags, forest.production_count(), [&, leaves = subset->leaves](VertexId v) {
      return leaves || !forest.is_leaf(v) ? forest.production(v) : none;
    });
  }
  return count_keys(bags, forest.labels().size(), [&](VertexId v) { return forest.label(v); });
}

/// Turns one number of each setting into lanes.
template <class Value, class Get>
Value lanes(std::span<const TreeKernelNode> settings, Get&& get) {
  if constexpr (requires(Value v) { v.lane; }) {
    Value out;
    for (std::size_t s = 0; s < std::size(out.lane); ++s) {
      out.lane[s] = get(settings[std::min(s, settings.size() - 1)]);
    }
    return out;
  } else {
    return Value(get(settings[0]));
  }
}

/// A rule with the two base values that belong to it.
template <class Rule>
struct RuleAndBases {
  Rule rule;
  typename Rule::Value inner_base;
  typename Rule::Value leaf_base;  ///< of pairs of equal keys in which one is a leaf
};

template <class Value>
auto make_rule(std::span<const TreeKernelNode> settings, const SubsetTreeOptions&,
               std::span<const std::uint32_t> signatures) {
  const Value decay = lanes<Value>(settings, [](const TreeKernelNode& k) {
    return std::get<SubsetTreeOptions>(k.options).decay;
  });
  return RuleAndBases<SubsetTreeRule<Value>>{SubsetTreeRule<Value>(decay, signatures), decay,
                                             decay};
}

template <class Value>
auto make_rule(std::span<const TreeKernelNode> settings, const PartialTreeOptions& options,
               std::span<const std::uint32_t>) {
  const auto get = [&](double PartialTreeOptions::*field) {
    return lanes<Value>(settings, [field](const TreeKernelNode& k) {
      return std::get<PartialTreeOptions>(k.options).*field;
    });
  };
  PartialTreeParameters<Value> p;
  p.decay = get(&PartialTreeOptions::decay);
  p.factor = get(&PartialTreeOptions::depth_decay);
  p.inner_base = p.factor * p.decay * p.decay;
  p.leaf_base = p.inner_base * get(&PartialTreeOptions::terminal);
  p.step = options.gap == Gap::span ? p.decay * p.decay : Value(1);
  p.max_length = static_cast<std::size_t>(options.max_length);
  return RuleAndBases<PartialTreeRule<Value>>{PartialTreeRule<Value>(p), p.inner_base, p.leaf_base};
}

template <class Value>
auto make_rule(std::span<const TreeKernelNode> settings, const SubpathOptions&,
               std::span<const std::uint32_t>) {
  const Value decay = lanes<Value>(
      settings, [](const TreeKernelNode& k) { return std::get<SubpathOptions>(k.options).decay; });
  PartialTreeParameters<Value> p;
  p.decay = p.factor = p.inner_base = p.leaf_base = decay;
  p.step = Value(1);
  p.paths_only = true;
  return RuleAndBases<PartialTreeRule<Value>>{PartialTreeRule<Value>(p), decay, decay};
}

/// Computes blocks in one kind of number: what the keys alone tell, then what pairs add.
template <class Rule>
class PairComputer {
 public:
  using Value = typename Rule::Value;

  PairComputer(const TreeLeafInput& input, const KeyCounts& rows, const KeyCounts& columns,
               bool equal_bases, RuleAndBases<Rule> rule)
      : all_(rows.all, columns.all, {}),
        inner_(rows.inner, columns.inner, {}),
        equal_bases_(equal_bases),
        inner_base_(rule.inner_base),
        leaf_surplus_(rule.leaf_base - rule.inner_base),
        pairs_(input.rows, input.columns, input.facts, std::move(rule.rule)) {}

  void block(Slice rows, Slice columns, BlockView<Value> out) {
    // Counts are whole numbers: their sums are exact in any order.
    if constexpr (std::is_same_v<Value, double>) {
      if (equal_bases_) {
        set_equal_bases(rows, columns, out);
        pairs_.add_block(rows, columns, out);
        return;
      }
    }
    const std::size_t size = rows.size() * columns.size();
    all_counts_.assign(size, 0);
    all_.add_block(rows, columns, {all_counts_.data(), columns.size()});
    if (!equal_bases_) {
      inner_counts_.assign(size, 0);
      inner_.add_block(rows, columns, {inner_counts_.data(), columns.size()});
    }
    for (std::size_t i = 0; i < rows.size(); ++i) set_base(out.row(i), i * columns.size(), columns);
    pairs_.add_block(rows, columns, out);
  }

  std::size_t bytes(Slice rows, Slice columns) {
    const std::size_t counts = rows.size() * columns.size() * sizeof(double);
    return pairs_.bytes(rows, columns) + (equal_bases_ ? 1 : 2) * counts;
  }

 private:
  /// The ordinary case, without a detour.
  void set_equal_bases(Slice rows, Slice columns, BlockView<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) std::fill_n(out.row(i), columns.size(), 0.0);
    all_.add_block(rows, columns, out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* const row = out.row(i);
      for (std::size_t j = 0; j < columns.size(); ++j) row[j] = inner_base_ * row[j];
    }
  }

  void set_base(Value* out, std::size_t at, Slice columns) const {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double all = all_counts_[at + j];
      if (equal_bases_) {
        out[j] = inner_base_ * Value(all);
      } else {
        // In this form a lane whose two bases are equal gets the same bits as alone.
        const double with_leaf = all - inner_counts_[at + j];
        out[j] = inner_base_ * Value(all) + leaf_surplus_ * Value(with_leaf);
      }
    }
  }

  FeatureProduct<double> all_;
  FeatureProduct<double> inner_;
  bool equal_bases_;
  Value inner_base_;
  Value leaf_surplus_;  ///< what a pair in which one is a leaf has more
  PairProduct<Rule> pairs_;
  std::vector<double> all_counts_;
  std::vector<double> inner_counts_;
};

/// What the leaf and its workers share.
struct PairLeafData {
  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  bool symmetric;
  KeyCounts row_counts;
  KeyCounts own_column_counts;
  bool equal_bases;
  std::vector<std::uint32_t> signatures;  ///< of SST: see SubsetTreeRule

  PairLeafData(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in),
        settings(kernels.begin(), kernels.end()),
        symmetric(&in.rows == &in.columns),
        row_counts(count_for(in.rows, settings[0])),
        equal_bases(std::ranges::all_of(settings, [](const TreeKernelNode& kernel) {
          const auto* partial = std::get_if<PartialTreeOptions>(&kernel.options);
          return partial == nullptr || partial->terminal == 1;
        })) {
    if (std::holds_alternative<SubsetTreeOptions>(settings[0].options)) {
      signatures = production_pairs(in.rows.forest());
    }
    if (!symmetric) own_column_counts = count_for(in.columns, settings[0]);
  }
  const KeyCounts& column_counts() const { return symmetric ? row_counts : own_column_counts; }

  template <class Value, class Options>
  auto computer(std::span<const TreeKernelNode> kernels, const Options& options) const {
    auto rule = make_rule<Value>(kernels, options, signatures);
    return PairComputer(input, row_counts, column_counts(), equal_bases, std::move(rule));
  }
};

template <class Options, class Value>
class PairWorker final : public LeafWorker {
 public:
  PairWorker(const PairLeafData& data, const Options& options)
      : data_(data), computer_(data.computer<Value>(data.settings, options)) {}

  void block(Slice rows, Slice columns, std::span<const BlockView<double>> outs) override {
    if constexpr (std::is_same_v<Value, double>) {
      computer_.block(rows, columns, outs[0]);
    } else {
      values_.resize(rows.size() * columns.size());
      computer_.block(rows, columns, {values_.data(), columns.size()});
      split_lanes(values_.data(), rows.size(), columns.size(), outs);
    }
  }

  void scaled_block(std::size_t setting, Slice rows, Slice columns,
                    BlockView<Scaled> out) override {
    if (!scaled_ || scaled_setting_ != setting) {
      const std::span<const TreeKernelNode> kernel(&data_.settings[setting], 1);
      scaled_.emplace(data_.computer<Scaled>(kernel, std::get<Options>(kernel[0].options)));
      scaled_setting_ = setting;
    }
    scaled_->block(rows, columns, out);
  }

  std::size_t bytes(Slice rows, Slice columns) override {
    const std::size_t lanes = std::is_same_v<Value, double> ? 0 : sizeof(Value);
    return computer_.bytes(rows, columns) + lanes * rows.size() * columns.size();
  }

 private:
  template <class Number>
  using Computer = decltype(std::declval<const PairLeafData&>().computer<Number>(
      std::span<const TreeKernelNode>(), std::declval<const Options&>()));

  const PairLeafData& data_;
  Computer<Value> computer_;
  std::optional<Computer<Scaled>> scaled_;  ///< of scaled_setting_, once it was needed
  std::size_t scaled_setting_ = 0;
  std::vector<Value> values_;
};

template <class Options>
class PairLeaf final : public Leaf {
 public:
  PairLeaf(const TreeLeafInput& input, std::span<const TreeKernelNode> settings)
      : data_(input, settings) {}

  std::unique_ptr<LeafWorker> worker() const override {
    const auto& options = std::get<Options>(data_.settings[0].options);
    if (data_.settings.size() == 1) {
      return std::make_unique<PairWorker<Options, double>>(data_, options);
    }
    if (data_.settings.size() <= 4) {
      return std::make_unique<PairWorker<Options, Lanes<4>>>(data_, options);
    }
    return std::make_unique<PairWorker<Options, Lanes<most_lanes>>>(data_, options);
  }

 private:
  PairLeafData data_;
};

/// The options without the numbers that may differ between lanes.
struct WithoutNumbers {
  SubtreeOptions operator()(SubtreeOptions o) const {
    o.decay = 0;
    return o;
  }
  SubsetTreeOptions operator()(SubsetTreeOptions o) const {
    o.decay = 0;
    return o;
  }
  PartialTreeOptions operator()(PartialTreeOptions o) const {
    o.decay = o.depth_decay = o.terminal = 0;
    return o;
  }
  SubpathOptions operator()(SubpathOptions o) const {
    o.decay = 0;
    return o;
  }
  DistributedTreeOptions operator()(const DistributedTreeOptions& o) const { return o; }
};

}  // namespace

ForestOptions forest_options(const TreeKernelNode& kernel) {
  const auto* subtree = std::get_if<SubtreeOptions>(&kernel.options);
  if (subtree == nullptr) return {};
  return {.ordered = !subtree->unordered, .labelled = subtree->labels};
}

bool sums_over_trees(const KernelNode& node) {
  const auto* leaf = std::get_if<TreeKernelNode>(&node.what);
  if (leaf == nullptr) return false;
  const auto* subtree = std::get_if<SubtreeOptions>(&leaf->options);
  return subtree == nullptr || subtree->count == SubtreeCount::product;
}

bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b) {
  if (a.tree != b.tree || a.options.index() != b.options.index()) return false;
  return std::visit(
      [&]<class Options>(const Options& options) {
        constexpr WithoutNumbers plain;
        return plain(options) == plain(std::get<Options>(b.options));
      },
      a.options);
}

std::unique_ptr<Leaf> make_tree_leaf(const TreeLeafInput& input,
                                     std::span<const TreeKernelNode> settings) {
  return std::visit(
      [&]<class Options>(const Options&) -> std::unique_ptr<Leaf> {
        if constexpr (std::is_same_v<Options, SubtreeOptions>) {
          std::vector<SubtreeOptions> options;
          for (const auto& s : settings) options.push_back(std::get<Options>(s.options));
          return make_subtree_leaf(input, options);
        } else if constexpr (std::is_same_v<Options, DistributedTreeOptions>) {
          throw std::logic_error(
              "distributed trees have a leaf of their own: make_distributed_leaf");
        } else {
          return std::make_unique<PairLeaf<Options>>(input, settings);
        }
      },
      settings[0].options);
}

}  // namespace espalier
