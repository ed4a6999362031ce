#include "espalier/fragments/top_fragments.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/cancel.hpp"
#include "fragments/support.hpp"
#include "fragments/terms.hpp"

namespace espalier {

void check(const FragmentOptions& options) {
  for_each_parameter(options, [](const Parameter& parameter, const std::size_t& member) {
    check_value(parameter, static_cast<double>(member), parameter.name);
  });
  if (options.max_size > 0 && options.max_size < options.min_size) {
    throw Error("max_size is smaller than min_size: no fragment has such a size");
  }
}

namespace {

FragmentTerms terms_of(const KernelFunctions& functions) {
  FragmentTerms out = find_terms(functions.root());
  if (out.terms.empty()) {
    std::string message;
    for (const std::string& other : out.others) message += "; " + other;
    throw Error("the kernel has no fragments that could be listed" + message);
  }
  return out;
}

/// The mean progress of several searches.
class SearchProgress {
 public:
  SearchProgress(const Context& context, std::size_t searches)
      : context_(context), done_(searches, 0) {}

  void report(std::size_t search, double fraction) {
    if (!context_.progress) return;
    const std::scoped_lock lock(mutex_);
    sum_ += std::max(0.0, fraction - done_[search]);
    done_[search] = std::max(done_[search], fraction);
    context_.progress(std::min(1.0, sum_ / static_cast<double>(done_.size())));
  }

 private:
  const Context& context_;
  std::mutex mutex_;
  std::vector<double> done_;
  double sum_ = 0;
};

std::vector<FragmentStep> steps_to(const std::vector<FragmentStep>& all, std::uint32_t last) {
  std::vector<FragmentStep> out;
  for (std::uint32_t step = last; step != none; step = all[step].previous) {
    out.push_back(all[step]);
  }
  std::ranges::reverse(out);
  return out;
}

/// The distinct roots of matches, ascending, and the value of the fragment at each.
struct RootValues {
  std::vector<VertexId> roots;
  std::vector<double> values;

  explicit RootValues(const Matches& matches) {
    std::vector<std::pair<VertexId, double>> all;
    for (std::size_t m = 0; m < matches.size(); ++m) {
      all.emplace_back(matches[m][0], matches.values[m]);
    }
    std::ranges::sort(all);
    for (const auto& [root, value] : all) {
      if (roots.empty() || roots.back() != root) {
        roots.push_back(root);
        values.push_back(0);
      }
      values.back() += value;
    }
  }
  double sum(std::span<const double> weights) const {
    double out = 0;
    for (std::size_t k = 0; k < roots.size(); ++k) out += weights[roots[k]] * values[k];
    return out;
  }
};

/// Searches one term for one score, or for contributions to it.
class TermSearch {
 public:
  TermSearch(const TermForest& forest, const FragmentObjective& objective,
             const FragmentOptions& options, std::size_t memory)
      : forest_(forest), best_(options, objective, memory) {}

  template <class Report>
  void run(std::span<const VertexId> roots, Report&& report) {
    forest_.space().start(roots, best_);
    while (const auto state = best_.next()) {
      if (best_.expansions() % 64 == 0) {
        check_cancelled();
        report(best_.progress());
      }
      forest_.space().extend(*state, best_);
    }
  }

  /// Adds what was found, and calls finish(fragment, roots) for each.
  template <class Finish>
  void add_to(TopFragments& out, std::size_t scores, std::uint32_t term, Finish&& finish) {
    out.exact = out.exact && best_.is_exact();
    out.bound = std::max(out.bound, best_.open_bound());
    out.expansions += best_.expansions();
    for (const auto& state : best_.take_best()) {
      const RootValues at(state->matches);
      WeightedFragment& made = out.fragments.emplace_back();
      made.fragment = forest_.space().fragment(steps_to(best_.steps(), state->step));
      made.term = term;
      for (std::size_t s = 0; s < scores; ++s) made.weights.push_back(at.sum(forest_.weights(s)));
      for (const VertexId root : at.roots) made.subtrees += forest_.is_known(root) ? 1 : 0;
      finish(made, at);
    }
  }

 private:
  const TermForest& forest_;
  BestFirst best_;
};

/// Keeps the best of several terms.
template <class Value>
void finish_list(TopFragments& list, std::size_t top, Value&& value) {
  std::ranges::stable_sort(list.fragments, std::greater(), [&](const WeightedFragment& fragment) {
    return std::abs(value(fragment));
  });
  if (list.fragments.size() > top) list.fragments.resize(top);
}

/// The values of the vertices in the only example of a term, divided by its norms.
std::vector<double> example_values(const FragmentTerm& term, const TermForest& forest,
                                   const KernelState& state, const Dataset& example,
                                   const Context& context) {
  double scale = std::sqrt(term.factor);
  for (const NormFunction* norm : term.norms) {
    const Side side{&example, norm->sides.row_member, norm->sides.tree};
    const double length = self_kernel_roots(norm->kernel, state, side, context)[0];
    scale = length > 0 ? scale / length : 0;
  }
  std::vector<double> out(forest.forest().vertex_count(), 0);
  const TreeKernelNode& kernel = term.function->kernel;
  const Bag bag = forest.examples()[0];
  for (std::size_t k = 0; k < bag.size(); ++k) {
    out[bag.vertex(k)] = scale * tree_kernel(kernel).feature(kernel, bag.count(k));
  }
  return out;
}

}  // namespace

std::vector<std::string> fragment_terms(const KernelFunctions& functions) {
  std::vector<std::string> out;
  for (FragmentTerm& term : find_terms(functions.root()).terms) {
    out.push_back(std::move(term.name));
  }
  return out;
}

std::vector<std::string> parts_without_fragments(const KernelFunctions& functions) {
  return find_terms(functions.root()).others;
}

std::vector<TopFragments> top_fragments(const KernelFunctions& functions,
                                        const Matrix<double>& scores,
                                        const FragmentOptions& options, const Dataset* data,
                                        const Context& context,
                                        std::vector<std::uint32_t> searched) {
  check(options);
  const FragmentTerms found = terms_of(functions);
  if (searched.empty()) {
    for (std::uint32_t s = 0; s < scores.rows(); ++s) searched.push_back(s);
  }
  Context quiet = context;
  quiet.progress = nullptr;
  const std::size_t memory =
      context.memory / std::clamp<std::size_t>(searched.size(), 1, thread_count(context));
  SearchProgress progress(context, found.terms.size() * searched.size());
  std::vector<TopFragments> out(searched.size());
  for (std::uint32_t t = 0; t < found.terms.size(); ++t) {
    const FragmentTerm& term = found.terms[t];
    const TermForest forest(term, functions.kernel().state, scores, data);
    const std::vector<VertexId> roots = forest.roots();
    const auto search_one = [&](std::size_t, std::size_t k) {
      const FragmentObjective objective{forest.weights(searched[k]), {}};
      TermSearch search(forest, objective, options, memory);
      const std::size_t number = t * searched.size() + k;
      search.run(roots, [&](double done) { progress.report(number, done); });
      std::optional<FragmentSupport> support;
      if (data != nullptr) support.emplace(forest, *data, term.function->sides.row_member);
      search.add_to(out[k], scores.rows(), t, [&](WeightedFragment& made, const RootValues& at) {
        if (support) support->count(at.roots, made);
      });
      progress.report(number, 1);
    };
    parallel(searched.size(), quiet, search_one, [](std::size_t) { return 1.0; });
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    finish_list(out[k], options.top,
                [&](const WeightedFragment& fragment) { return fragment.weights[searched[k]]; });
  }
  return out;
}

TopFragments top_contributions(const KernelFunctions& functions, std::span<const double> score,
                               const Dataset& example, const FragmentOptions& options,
                               const Context& context) {
  check(options);
  if (example.size() != 1) throw Error("one example at a time is explained");
  const FragmentTerms found = terms_of(functions);
  Context quiet = context;
  quiet.progress = nullptr;
  const KernelState& state = functions.kernel().state;
  Matrix<double> scores(1, score.size());
  std::ranges::copy(score, scores.row(0).begin());
  TopFragments out;
  const auto search_term = [&](std::uint32_t t) {
    const FragmentTerm& term = found.terms[t];
    const TermForest forest(term, state, scores, &example);
    const std::vector<double> values = example_values(term, forest, state, example, quiet);
    const FragmentObjective objective{forest.weights(0), values};
    TermSearch search(forest, objective, options, context.memory);
    search.run(forest.roots_like_data(), [](double) {});
    search.add_to(out, 1, t, [&](WeightedFragment& made, const RootValues& at) {
      made.value = at.sum(values);
      made.contribution = made.value * made.weights[0];
    });
  };
  // One after the other, but cancellable.
  quiet.threads = 1;
  parallel(
      found.terms.size(), quiet,
      [&](std::size_t, std::size_t t) { search_term(static_cast<std::uint32_t>(t)); },
      [](std::size_t) { return 1.0; });
  finish_list(out, options.top, [](const WeightedFragment& made) { return made.contribution; });
  return out;
}

}  // namespace espalier
