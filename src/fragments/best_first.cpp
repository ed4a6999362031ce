#include "fragments/best_first.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

bool lower_bound_than(const BestFirst::State& a, const BestFirst::State& b) {
  return a->bound != b->bound ? a->bound < b->bound : a->order > b->order;
}

/// Ties: small fragments first, then those found first.
bool better_than(const BestFirst::State& a, const BestFirst::State& b) {
  const double x = std::abs(a->value), y = std::abs(b->value);
  if (x != y) return x > y;
  return a->size != b->size ? a->size < b->size : a->order < b->order;
}

}  // namespace

std::size_t BestFirst::bytes(const FragmentState& state) {
  constexpr std::size_t overhead = 64;  // of allocations
  return sizeof(state) + overhead + state.shape.capacity() * sizeof(std::uint32_t) +
         state.matches.places.capacity() * sizeof(VertexId) +
         state.matches.values.capacity() * sizeof(double);
}

bool BestFirst::is_good(std::uint32_t size, double value) const {
  return size >= options_.min_size && (options_.max_size == 0 || size <= options_.max_size) &&
         std::abs(value) > last_value();
}

bool BestFirst::wants(std::uint32_t size, const FragmentSums& sums, const FragmentStep&) {
  return is_good(size, sums.value()) || (may_grow(size) && sums.bound() > last_value());
}

void BestFirst::take(State state, const FragmentStep& step) {
  if (!may_grow(state->size)) state->bound = 0;
  state->order = offered_++;
  state->step = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(step);
  used_ += sizeof(step);
  if (is_good(state->size, state->value)) {
    best_.push_back(state);
    std::ranges::push_heap(best_, better_than);
    if (best_.size() > options_.top) {
      std::ranges::pop_heap(best_, better_than);
      best_.pop_back();
    }
  }
  if (state->bound > last_value()) {
    used_ += bytes(*state);
    open_.push_back(std::move(state));
    std::ranges::push_heap(open_, lower_bound_than);
    if (used_ > memory_) drop_half();
  }
}

void BestFirst::drop_half() {
  const auto middle = open_.begin() + static_cast<std::ptrdiff_t>(open_.size() / 2);
  std::ranges::nth_element(open_, middle,
                           [](const State& a, const State& b) { return lower_bound_than(b, a); });
  for (auto state = middle; state != open_.end(); ++state) {
    dropped_ = std::max(dropped_, (*state)->bound);
    used_ -= bytes(**state);
  }
  open_.erase(middle, open_.end());
  std::ranges::make_heap(open_, lower_bound_than);
}

BestFirst::State BestFirst::next() {
  const bool stopped = options_.expansions > 0 && expansions_ >= options_.expansions;
  if (stopped || open_.empty() || open_.front()->bound <= last_value()) return nullptr;
  ++expansions_;
  std::ranges::pop_heap(open_, lower_bound_than);
  State out = std::move(open_.back());
  open_.pop_back();
  used_ -= bytes(*out);
  return out;
}

double BestFirst::progress() const {
  return open_.empty() ? 1 : std::min(1.0, last_value() / open_.front()->bound);
}

double BestFirst::open_bound() const {
  return open_.empty() ? dropped_ : std::max(dropped_, open_.front()->bound);
}

std::vector<BestFirst::State> BestFirst::take_best() {
  std::ranges::sort(best_, better_than);
  return std::move(best_);
}

}  // namespace espalier
