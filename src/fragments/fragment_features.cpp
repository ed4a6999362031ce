#include "espalier/fragments/fragment_features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fragments/feature_archive.hpp"
#include "fragments/feature_state.hpp"

namespace espalier {

void FragmentFeatures::State::choose(std::vector<Chosen> fragments) {
  for (std::uint32_t t = 0; t < terms.terms.size(); ++t) {
    const TreeKernelNode& kernel = terms.terms[t].leaf();
    FragmentSet& set = sets.emplace_back();
    Forest forest(tree_kernel(kernel).forest_options(kernel));
    std::vector<Chosen*> of_term;
    for (Chosen& each : fragments) {
      if (each.term != t) continue;
      of_term.push_back(&each);
      forest.add(each.fragment.tree);
    }
    const FragmentKeys keys(forest, kernel);
    for (std::size_t k = 0; k < of_term.size(); ++k) {
      const auto found = prefixes(forest, keys, kernel, of_term[k]->fragment,
                                  forest.root(static_cast<TreeId>(k)), set.start());
      if (set.find(found.back().hash, 0).column != none) continue;
      set.add(found, static_cast<std::uint32_t>(chosen.size()));
      chosen.push_back(std::move(*of_term[k]));
    }
  }
}

void FragmentFeatures::State::hash() {
  constexpr std::size_t most_columns = std::size_t{1} << 24, largest = 64;
  if (!std::has_single_bit(hashing.hash_dim) || hashing.hash_dim > most_columns) {
    throw Error("hash_dim = " + std::to_string(hashing.hash_dim) +
                " is not a power of two up to 2^24, such as 262144");
  }
  if (hashing.max_size == 0 || hashing.max_size > largest) {
    throw Error("max_size = " + std::to_string(hashing.max_size) + " is outside [1, 64]");
  }
  for (std::uint32_t t = 0; t < terms.terms.size(); ++t) {
    sets.emplace_back(hashing.max_size, hashing.hash_dim, t);
  }
}

FragmentFeatures::FragmentFeatures(std::shared_ptr<const State> state) : state_(std::move(state)) {}

FragmentFeatures::FragmentFeatures(const KernelFunctions& functions, const Matrix<double>& scores,
                                   const FragmentOptions& options, const Context& context,
                                   std::vector<std::uint32_t> searched) {
  auto state = std::make_shared<State>();
  state->terms = feature_terms(functions.root());
  state->kernel = functions.kernel().state;
  std::vector<Chosen> fragments;
  for (TopFragments& list :
       top_fragments(functions, scores, options, nullptr, context, std::move(searched))) {
    for (WeightedFragment& each : list.fragments) {
      fragments.push_back({std::move(each.fragment), each.term, each.subtrees});
    }
  }
  state->choose(std::move(fragments));
  state_ = std::move(state);
}

FragmentFeatures::FragmentFeatures(const FittedKernel& kernel,
                                   const HashedFragmentOptions& options) {
  auto state = std::make_shared<State>();
  state->terms = feature_terms(KernelFunctions(kernel).root());
  state->kernel = kernel.state;
  state->hashing = options;
  state->hash();
  state_ = std::move(state);
}

FragmentFeatures FragmentFeatures::binary() const {
  auto state = std::make_shared<State>(*state_);
  state->binary = true;
  return FragmentFeatures(std::move(state));
}

std::size_t FragmentFeatures::columns() const {
  return hashed() ? state_->hashing.hash_dim : state_->chosen.size();
}

bool FragmentFeatures::hashed() const { return state_->hashed(); }

std::span<const FragmentFeatures::Chosen> FragmentFeatures::chosen() const {
  return state_->chosen;
}

std::vector<std::string> FragmentFeatures::terms() const {
  std::vector<std::string> out;
  for (const FeatureTerm& term : state_->terms.terms) out.push_back(term.name);
  return out;
}

std::string FragmentFeatures::name(std::size_t column) const {
  if (hashed()) return std::to_string(column + 1);
  const Chosen& chosen = state_->chosen[column];
  const auto& terms = state_->terms.terms;
  return (terms.size() > 1 ? terms[chosen.term].name + " " : "") + to_string(chosen.fragment);
}

TermRun::Row FragmentFeatures::State::values(const FeatureRun::Rows& rows) const {
  TermRun::Row out;
  for (std::size_t t = 0; t < rows.terms.size(); ++t) {
    for (const auto& [column, value] : rows.terms[t]) {
      out.emplace_back(column, rows.scales[t] * value);
    }
  }
  if (rows.terms.size() > 1) std::ranges::sort(out);
  return out;
}

TermRun::Row FragmentFeatures::State::row(TermRun::Row values) const {
  if (!binary) return values;
  const double value = 1 / std::sqrt(static_cast<double>(values.size()));
  for (auto& entry : values) entry.second = value;
  return values;
}

namespace {

/// Hashed columns of several terms may be the same.
void append(const TermRun::Row& row, SparseMatrix& out) {
  for (std::size_t k = 0; k < row.size();) {
    const std::uint32_t column = row[k].first;
    double sum = 0;
    for (; k < row.size() && row[k].first == column; ++k) sum += row[k].second;
    if (sum != 0) out.append(column, sum);
  }
  out.finish_row();
}

}  // namespace

SparseMatrix FragmentFeatures::transform(const Dataset& data, const Context& context) const {
  SparseMatrix out(columns());
  FeatureRun run = state_->run(data, context);
  Context quiet = context;
  quiet.progress = nullptr;
  run.for_each_block(context, [&](Slice block) {
    constexpr std::size_t together = 64;
    const std::size_t tasks = (block.size() + together - 1) / together;
    std::vector<TermRun::Row> rows(block.size());
    const auto work = [&](std::size_t, std::size_t task) {
      const std::size_t end = std::min(block.size(), (task + 1) * together);
      for (std::size_t i = task * together; i < end; ++i) {
        rows[i] = state_->row(state_->values(run.rows(block.begin + i)));
      }
    };
    parallel(tasks, quiet, work, [](std::size_t) { return 1.0; });
    for (const TermRun::Row& row : rows) append(row, out);
  });
  return out;
}

std::string FragmentFeatures::save() const {
  ArchiveWriter out;
  out(state_->terms, state_->hashing, archived_fragments(state_->chosen));
  if (state_->binary) out(true);
  return out.bytes();
}

FragmentFeatures FragmentFeatures::load(std::string_view bytes, const FittedKernel& kernel) {
  ArchiveReader in({bytes.data(), bytes.size()});
  auto state = std::make_shared<State>();
  ArchivedFragments fragments;
  in(state->terms, state->hashing, fragments);
  if (!in.at_end()) in(state->binary);
  if (!in.at_end()) throw Error("it is longer than it should be");
  state->kernel = kernel.state;
  if (state->hashed()) {
    state->hash();
  } else {
    state->choose(fragments_from(fragments, state->terms.terms));
  }
  if (!state->hashed() && state->chosen.size() != fragments.roots.size()) {
    throw Error("fragments are not distinct");
  }
  return FragmentFeatures(std::move(state));
}

}  // namespace espalier
