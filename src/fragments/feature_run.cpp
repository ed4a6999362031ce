#include "fragments/feature_run.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

namespace espalier {

namespace {

/// Thrown to stop all threads.
struct TooMany {};

TreeInput trees_of(const FeatureTerm& term, const Dataset& data,
                   const std::vector<std::string>& names) {
  const Side side = term.side(data);
  return Inputs().trees(side, side, {names, names},
                        tree_kernel(term.leaf()).forest_options(term.leaf()));
}

}  // namespace

TermRun::TermRun(const FeatureTerm& term, const FragmentSet& set, const KernelState& state,
                 const Dataset& data)
    : term_(term),
      set_(set),
      names_(Inputs::tree_names(term.side(data), term.leaf(), term.all_trees)),
      input_(trees_of(term, data, names_)),
      space_(make_fragment_space(*input_.forest, term.leaf(), state)),
      keys_(*input_.forest, term.leaf()) {}

double TermRun::feature(double count) const {
  return tree_kernel(term_.leaf()).feature(term_.leaf(), count);
}

/// The vertices of the examples; those that fragments can be rooted at alike are in one piece.
std::vector<std::vector<VertexId>> TermRun::pieces(Slice examples, std::size_t count) const {
  std::vector<VertexId> roots;
  for (std::size_t i = examples.begin; i < examples.end; ++i) {
    for (const Occurrence& o : (*input_.rows)[i].occurrences) roots.push_back(o.vertex);
  }
  std::ranges::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  std::ranges::stable_sort(roots, {}, [&](VertexId v) { return space_->root_key(v); });
  std::vector<std::vector<VertexId>> out;
  for (const VertexId v : roots) {
    const bool full = out.empty() || out.back().size() >= roots.size() / count + 1;
    if (full && (out.empty() || space_->root_key(out.back().back()) != space_->root_key(v))) {
      out.emplace_back();
    }
    out.back().push_back(v);
  }
  for (auto& piece : out) std::ranges::sort(piece);
  return out;
}

bool TermRun::find(Slice examples, std::size_t most, const Context& context) {
  const std::size_t threads = thread_count(context);
  const auto parts = pieces(examples, threads == 1 ? 1 : 4 * threads);
  std::vector<std::vector<RootedFragment>> found(parts.size());
  std::atomic<std::size_t> total = 0;
  const auto work = [&](std::size_t, std::size_t p) {
    walk_fragments(*space_, keys_, set_, parts[p], [&](std::span<const RootedFragment> some) {
      found[p].insert(found[p].end(), some.begin(), some.end());
      if ((total += some.size()) > most) throw TooMany();
    });
    std::ranges::sort(found[p]);
  };
  try {
    parallel(parts.size(), context, work,
             [&](std::size_t p) { return static_cast<double>(parts[p].size()); });
  } catch (const TooMany&) {
    return false;
  }
  begin_.assign(forest().vertex_count() + 1, 0);
  for (const auto& part : found) {
    for (const RootedFragment& each : part) ++begin_[each.root + 1];
  }
  for (std::size_t v = 0; v + 1 < begin_.size(); ++v) begin_[v + 1] += begin_[v];
  found_.resize(total);
  // Each vertex is in one part.
  for (const auto& part : found) {
    for (std::size_t k = 0; k < part.size();) {
      const VertexId root = part[k].root;
      const std::size_t count = begin_[root + 1] - begin_[root];
      std::copy_n(part.data() + k, count, found_.data() + begin_[root]);
      k += count;
    }
  }
  return true;
}

std::span<const RootedFragment> TermRun::at(VertexId v) const {
  return std::span(found_).subspan(begin_[v], begin_[v + 1] - begin_[v]);
}

TermRun::Row TermRun::row(std::size_t example) const {
  const Bag& bag = (*input_.rows)[example];
  Row all;
  for (std::size_t k = 0; k < bag.size(); ++k) {
    const double count = feature(bag.count(k));
    for (const RootedFragment& each : at(bag.vertex(k))) {
      all.emplace_back(each.column, count * each.value);
    }
  }
  // By column and value, so that sums do not depend on the order of vertices.
  std::ranges::sort(all);
  std::size_t kept = 0;
  for (const auto& [column, value] : all) {
    if (kept > 0 && all[kept - 1].first == column) {
      all[kept - 1].second += value;
    } else {
      all[kept++] = {column, value};
    }
  }
  all.resize(kept);
  return all;
}

FeatureRun::FeatureRun(const FeatureTerms& terms, std::span<const FragmentSet> sets,
                       const KernelState& state, const Dataset& data, bool hashed,
                       const Context& context)
    : terms_(terms), size_(data.size()), quiet_(context) {
  quiet_.progress = nullptr;
  if (size_ == 0) return;
  for (std::size_t t = 0; t < terms.terms.size(); ++t) {
    runs_.emplace_back(terms.terms[t], sets[t], state, data);
  }
  if (hashed) return;
  for (const auto& [kernel, sides] : terms.norms) {
    lengths_.push_back(
        self_kernel_roots(kernel, state, {&data, sides.row_member, sides.tree}, quiet_));
  }
}

std::size_t FeatureRun::first_block() const {
  constexpr std::size_t guess = 64;  // bytes of fragments for each vertex
  std::size_t bytes = 0, end = 0;
  for (; end < size_; ++end) {
    for (const TermRun& run : runs_) bytes += guess * run.vertices(end);
    if (end > 0 && bytes > quiet_.memory / 2) break;
  }
  return end;
}

bool FeatureRun::find(Slice block) {
  // While they are sorted into place, fragments are there twice.
  const std::size_t most =
      block.size() == 1 ? SIZE_MAX : quiet_.memory / (2 * sizeof(RootedFragment)) / runs_.size();
  return std::ranges::all_of(runs_, [&](TermRun& run) { return run.find(block, most, quiet_); });
}

FeatureRun::Rows FeatureRun::rows(std::size_t example) const {
  Rows out;
  std::vector<double> squares;
  for (std::size_t t = 0; t < runs_.size(); ++t) {
    out.terms.push_back(runs_[t].row(example));
    out.scales.push_back(std::sqrt(terms_.terms[t].factor));
    double square = 0;
    for (const auto& [column, value] : out.terms.back()) square += value * value;
    squares.push_back(square);
  }
  // The norms within others first.
  for (std::size_t n = terms_.norms.size(); n-- > 0;) {
    const auto within = [&](std::size_t t) {
      return std::ranges::find(terms_.terms[t].norms, n) != terms_.terms[t].norms.end();
    };
    double square = 0;
    for (std::size_t t = 0; t < runs_.size(); ++t) {
      if (within(t)) square += out.scales[t] * out.scales[t] * squares[t];
    }
    const double length = lengths_.empty() ? std::sqrt(square) : lengths_[n][example];
    for (std::size_t t = 0; t < runs_.size(); ++t) {
      if (within(t)) out.scales[t] = length > 0 ? out.scales[t] / length : 0;
    }
  }
  return out;
}

}  // namespace espalier
