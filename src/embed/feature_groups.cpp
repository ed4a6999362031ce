// The features of several members or trees of an example.

#include <algorithm>
#include <functional>
#include <map>

#include "embed/feature_part.hpp"

namespace espalier {

namespace {

std::vector<Side> members_of(const Side& side, std::span<const std::string> members) {
  std::vector<Side> out;
  for (const std::string& member : members) out.push_back({side.data, member});
  return out;
}

/// The features of one member of a pair; of both, the sum of their vectors, whose dot product is
/// cross(K).
class MemberPart final : public FeaturePart {
 public:
  MemberPart(KernelNode kernel, FeatureSource source, std::vector<std::string> members)
      : kernel_(std::move(kernel)),
        source_(std::move(source)),
        members_(std::move(members)),
        operand_(make_feature_part(kernel_, source_)) {}

  void fit(std::span<const Side> sides, std::uint32_t& next) override {
    std::vector<Side> all;
    for (const Side& side : sides) {
      for (Side& member : members_of(side, members_)) all.push_back(std::move(member));
    }
    operand_->fit(all, next);
  }
  Rows rows(const Side& side, const Context& context) const override {
    if (members_.size() == 1) return operand_->rows({side.data, members_[0]}, context);
    Rows out = sum_of_members(*operand_, side, context);
    // Features without a column that both members have: as columns of these examples.
    const auto here = make_feature_part(kernel_, source_);
    std::uint32_t next = 0;
    here->fit(members_of(side, members_), next);
    out.squares = sum_of_members(*here, side, context).squares;
    return out;
  }
  std::optional<ScaledRows> dense_rows(const Side& side, const Context& context) const override {
    auto out = operand_->dense_rows({side.data, members_[0]}, context);
    for (std::size_t m = 1; out && m < members_.size(); ++m) {
      add(*out, *operand_->dense_rows({side.data, members_[m]}, context));
    }
    return out;
  }
  std::string name(std::uint32_t column) const override { return operand_->name(column); }

 private:
  Rows sum_of_members(const FeaturePart& part, const Side& side, const Context& context) const {
    Rows both;
    for (std::size_t i = 0; i < side.data->size(); ++i) both.finish_row();
    for (const Side& member : members_of(side, members_)) {
      both = joined(both, part.rows(member, context));
    }
    Rows out;
    std::map<std::uint32_t, double> sums;
    for (std::size_t i = 0; i < both.size(); ++i) {
      sums.clear();
      for (std::uint64_t at = both.begin[i]; at < both.begin[i + 1]; ++at) {
        sums[both.columns[at]] += both.values[at];
      }
      for (const auto& [column, value] : sums) out.add(column, value);
      out.finish_row(both.exponents[i]);
    }
    return out;
  }

  KernelNode kernel_;
  FeatureSource source_;
  std::vector<std::string> members_;
  std::unique_ptr<FeaturePart> operand_;
};

/// each(K): the features of every tree name that was fitted.
class EachPart final : public FeaturePart {
 public:
  EachPart(KernelNode kernel, FeatureSource source)
      : kernel_(std::move(kernel)), source_(std::move(source)) {}

  void fit(std::span<const Side> sides, std::uint32_t& next) override {
    std::map<std::string, std::vector<Side>> named;
    names_.clear();
    for (const Side& side : sides) {
      for (const std::string& name : Inputs::tree_names(side)) {
        if (!named.contains(name)) names_.push_back(name);
        named[name].push_back({side.data, side.member, name});
      }
    }
    parts_.clear();
    for (const std::string& name : names_) {
      parts_.push_back(make_feature_part(kernel_, source_));
      parts_.back()->fit(named[name], next);
    }
  }
  Rows rows(const Side& side, const Context& context) const override {
    Rows out;
    for (std::size_t i = 0; i < side.data->size(); ++i) out.finish_row();
    for (const std::string& name : Inputs::tree_names(side)) {
      const Side trees{side.data, side.member, name};
      const auto known = std::ranges::find(names_, name);
      if (known == names_.end()) {
        // No columns, but the trees count in a norm.
        const auto squares = unknown_rows(trees, context).squares;
        for (std::size_t i = 0; i < out.size(); ++i) out.squares[i] += squares[i];
        continue;
      }
      const auto& part = parts_[static_cast<std::size_t>(known - names_.begin())];
      out = joined(out, part->rows(trees, context));
    }
    return out;
  }
  std::string name(std::uint32_t column) const override { return name_in(parts_, column); }

 private:
  Rows unknown_rows(const Side& trees, const Context& context) const {
    const auto part = make_feature_part(kernel_, source_);
    std::uint32_t next = 0;
    part->fit({&trees, 1}, next);
    return part->rows(trees, context);
  }

  KernelNode kernel_;
  FeatureSource source_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<FeaturePart>> parts_;
};

}  // namespace

std::unique_ptr<FeaturePart> make_member_part(const KernelNode& kernel, const KernelState& state,
                                              std::vector<std::string> members) {
  const FeatureSource source{state};
  if (!make_feature_part(kernel, source)) return nullptr;
  return std::make_unique<MemberPart>(kernel, source, std::move(members));
}

std::unique_ptr<FeaturePart> make_each_part(const KernelNode& kernel, const FeatureSource& source) {
  if (!make_feature_part(kernel, source)) return nullptr;
  return std::make_unique<EachPart>(kernel, source);
}

}  // namespace espalier
