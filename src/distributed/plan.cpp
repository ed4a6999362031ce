#include "distributed/plan.hpp"

#include <algorithm>

namespace espalier::distributed {

namespace {

using Child = Plan::Child;

/// Appends a step for an inner node whose children have just been appended.
Child add_step(Plan& plan, std::string_view label, std::size_t arity, const PlanOptions& options,
               LabelVectors& labels) {
  const auto end = static_cast<std::uint32_t>(plan.children.size());
  const auto count = static_cast<std::uint32_t>(arity);
  const std::uint32_t leaf = labels.find_or_add(label, 0);
  const std::uint32_t inner = options.arity ? labels.find_or_add(label, count) : leaf;
  plan.steps.push_back({inner, end - count, end});
  return {leaf, static_cast<std::uint32_t>(plan.steps.size() - 1)};
}

void find_last_uses(Plan& plan) {
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    plan.steps[i].last_use = i;
    for (const Child& child : plan.children_of(plan.steps[i])) {
      if (child.step != none) plan.steps[child.step].last_use = i;
    }
  }
}

/// Slot numbers, reused once they are released.
struct Slots {
  std::uint32_t take() {
    if (free.empty()) return count++;
    const std::uint32_t slot = free.back();
    free.pop_back();
    return slot;
  }
  std::vector<std::uint32_t> free;
  std::uint32_t count = 0;
};

/// Slots are reused as soon as their contents are not needed any more.
void assign_slots(Plan& plan, const PlanOptions& options) {
  find_last_uses(plan);
  Slots vectors, signs;
  const auto release = [&](Plan::Step& step) {
    (step.signs ? signs : vectors).free.push_back(step.own);
    if (step.sum != step.own) vectors.free.push_back(step.sum);
    step.last_use = none;  // released
  };
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    Plan::Step& step = plan.steps[i];
    const auto children = plan.children_of(step);
    const bool flat =
        std::ranges::all_of(children, [](const Child& child) { return child.step == none; });
    step.signs = options.signs && flat;
    step.own = (step.signs ? signs : vectors).take();
    step.sum = flat && !options.leaf_sums ? step.own : vectors.take();
    for (const Child& child : children) {
      if (child.step != none && plan.steps[child.step].last_use == i) {
        release(plan.steps[child.step]);
      }
    }
    if (step.last_use == i) release(step);
  }
  plan.slots = vectors.count;
  plan.sign_slots = signs.count;
}

}  // namespace

void Plan::clear() {
  steps.clear();
  children.clear();
  outputs.clear();
  empty_rows.clear();
  slots = 0;
  sign_slots = 0;
}

void plan_tree(const Tree& tree, const PlanOptions& options, LabelVectors& labels, Plan& plan) {
  plan.clear();
  if (tree.empty()) {
    plan.empty_rows.push_back(0);
    return;
  }
  std::vector<Child>
      pending;  // subtrees whose parent has not been visited yet, the leftmost on top
  for (std::size_t node = tree.size(); node-- > 0;) {
    const std::size_t arity = tree.children(node);
    if (arity == 0) {
      pending.push_back({labels.find_or_add(tree.label(node), 0)});
      continue;
    }
    for (std::size_t i = 0; i < arity; ++i) {
      plan.children.push_back(pending.back());
      pending.pop_back();
    }
    pending.push_back(add_step(plan, tree.label(node), arity, options, labels));
  }
  plan.outputs.push_back({pending.back(), 0});
  assign_slots(plan, options);
}

Plan plan_forest(const Forest& forest, std::span<const TreeId> trees, std::size_t first_row,
                 const PlanOptions& options, LabelVectors& labels) {
  Plan plan;
  std::vector<bool> wanted(forest.vertex_count(), false);
  for (const TreeId tree : trees) {
    if (tree == none) continue;
    for (const Occurrence& occurrence : forest.occurrences(tree)) wanted[occurrence.vertex] = true;
  }
  std::vector<Child> children(forest.vertex_count());
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    if (!wanted[v]) continue;
    const std::string_view label = forest.labels().text(forest.label(v));
    if (forest.is_leaf(v)) {
      children[v] = {labels.find_or_add(label, 0)};
      continue;
    }
    for (const VertexId child : forest.children(v)) plan.children.push_back(children[child]);
    children[v] = add_step(plan, label, forest.children(v).size(), options, labels);
  }
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const VertexId root = trees[i] == none ? none : forest.root(trees[i]);
    if (root == none) {
      plan.empty_rows.push_back(first_row + i);
    } else {
      plan.outputs.push_back({children[root], first_row + i});
    }
  }
  // Leaves have no step: none + 1 is 0.
  std::ranges::stable_sort(plan.outputs, {}, [](const Plan::Output& o) { return o.root.step + 1; });
  assign_slots(plan, options);
  return plan;
}

}  // namespace espalier::distributed
