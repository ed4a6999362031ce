// Leaves whose labels match by degrees: SPT, CSPT and the word kernel.

#include <algorithm>
#include <tuple>

#include "base/hash.hpp"
#include "engine/pair_leaf.hpp"
#include "engine/smoothed/smoothed_rows.hpp"
#include "engine/smoothed/smoothed_sums.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/id_index.hpp"

namespace espalier {

namespace {

/// The word vectors of a kernel; those of lex() are optional.
template <class Options>
const WordVectors& words_of(const Options& options, const KernelState& state) {
  static const WordVectors nothing;
  if (options.vectors.empty()) {
    if constexpr (std::is_same_v<Options, WordsOptions>) return nothing;
    throw Error("a smoothed kernel needs word vectors: spt(.., vectors=FILE)");
  }
  const auto found = state.words.find(options.vectors);
  if (found == state.words.end()) {
    throw Error("the word vectors of " + options.vectors +
                " have not been loaded: load_word_vectors() does");
  }
  return *found->second;
}

/// Data shared by the workers of a smoothed kernel.
template <class Options>
struct SmoothedPairs {
  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  LabelSimilarity labels;
  std::unique_ptr<SimilarityTable> table;  ///< if words recur and it fits the memory
  bool symmetric;
  // How often each label occurs in an example. Plain labels match only themselves, words have
  // vectors.
  KeyCounts plain_rows, own_plain_columns;
  SparseMatrix word_rows, own_word_columns;
  std::vector<std::uint32_t> signatures;
  // If children count.
  std::optional<ContentHashes> hashes;
  std::optional<RowIndex> rows;

  SmoothedPairs(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in),
        settings(kernels.begin(), kernels.end()),
        labels(in.rows.forest().labels(), std::get<Options>(settings[0].options),
               words_of(std::get<Options>(settings[0].options), in.state)),
        symmetric(&in.rows == &in.columns) {
    const Forest& forest = in.rows.forest();
    std::tie(plain_rows, word_rows) = count_labels(in.rows);
    if (symmetric && words_recur() && SimilarityTable::bytes(labels) <= in.memory / 3) {
      table = std::make_unique<SimilarityTable>(labels);
    }
    if (!symmetric) std::tie(own_plain_columns, own_word_columns) = count_labels(in.columns);
    if constexpr (pairs) {
      signatures = class_sequences(forest, labels);
      hashes.emplace(forest);
      rows.emplace(in.rows, SmoothedRows<double>(forest, {}, 0, labels, signatures, nullptr),
                   *hashes);
    }
  }

  /// Whether caching similarities pays off.
  bool words_recur() const {
    std::size_t words = 0;
    for (LabelId label = 0; label < labels.label_count(); ++label)
      words += labels.has_vectors(label);
    return word_rows.value_count() > 3 * words;
  }

  std::pair<KeyCounts, SparseMatrix> count_labels(const Bags& bags) const {
    const Forest& forest = bags.forest();
    std::vector<std::uint32_t> plain(forest.vertex_count(), none);
    std::vector<std::uint32_t> words(forest.vertex_count(), none);
    for (VertexId v = 0; v < forest.vertex_count(); ++v) {
      const LabelId label = forest.label(v);
      if (labels.class_of(label) == none) continue;
      (labels.has_vectors(label) ? words : plain)[v] = label;
    }
    return {count_keys(bags, labels.label_count(), plain, true),
            count_keys(bags, labels.label_count(), words, false).all};
  }

  /// Whether children count, or only the nodes themselves.
  static constexpr bool pairs = !std::is_same_v<Options, WordsOptions>;

  template <class Value>
  auto computer(std::span<const TreeKernelNode> kernels) const {
    auto block = std::make_shared<SimilarityBlock>(labels, table.get(), input.rows, input.columns);
    const KeyCounts& plain_columns = symmetric ? plain_rows : own_plain_columns;
    if constexpr (pairs) {
      SmoothedRows<Value> values(input.rows.forest(),
                                 partial_tree_parameters<Value, Options>(kernels), input.memory,
                                 labels, signatures, block);
      BaseSums<Value> base(plain_rows, plain_columns, values.base(), values.leaf_base(), nullptr);
      return PairProduct(*rows, input.columns, *hashes, std::move(base), std::move(values),
                         nullptr);
    } else {
      return SmoothedSums<Value>(plain_rows, plain_columns, word_rows,
                                 symmetric ? word_rows : own_word_columns, block);
    }
  }
};

template <class Options>
TreeKernel smoothed_kernel() {
  return {.bags_leaf = make_pair_leaf<SmoothedPairs<Options>>};
}

}  // namespace

std::vector<std::uint32_t> class_sequences(const Forest& forest, const LabelSimilarity& labels) {
  std::vector<std::uint32_t> out(forest.vertex_count(), none);
  std::vector<VertexId> first;  // per number: the first vertex that has it
  IdIndex index;
  std::vector<std::uint32_t> classes;
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    if (forest.is_leaf(v)) continue;
    const auto class_of = [&](VertexId x) { return labels.class_of(forest.label(x)); };
    classes.clear();
    for (const VertexId child : forest.children(v)) classes.push_back(class_of(child));
    out[v] = index.find_or_add(
        hash::sequence(class_of(v), classes),
        [&](std::uint32_t number) {
          return class_of(first[number]) == class_of(v) &&
                 std::ranges::equal(forest.children(first[number]), classes, {}, class_of);
        },
        [&] {
          first.push_back(v);
          return static_cast<std::uint32_t>(first.size() - 1);
        });
  }
  std::ranges::replace(out, none, static_cast<std::uint32_t>(first.size()));
  return out;
}

template <>
const TreeKernel& tree_kernel<SmoothedTreeOptions>() {
  static const TreeKernel kernel = smoothed_kernel<SmoothedTreeOptions>();
  return kernel;
}

template <>
const TreeKernel& tree_kernel<CompositionalTreeOptions>() {
  static const TreeKernel kernel = smoothed_kernel<CompositionalTreeOptions>();
  return kernel;
}

template <>
const TreeKernel& tree_kernel<WordsOptions>() {
  static const TreeKernel kernel = smoothed_kernel<WordsOptions>();
  return kernel;
}

}  // namespace espalier
