#include "espalier/io/svmlight_tk_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "io/formats.hpp"
#include "io/svmlight_tk_header.hpp"

namespace espalier {

namespace {

constexpr double largest = 1e300;
constexpr double most_counted = 1e15;

std::string normed(bool norm, const std::string& kernel) {
  return norm ? fmt::format("norm({})", kernel) : kernel;
}

/// Converts the parameters of a model to a kernel expression. Parameters that the kernel does not
/// depend on are ignored.
class Translation {
 public:
  Translation(const SvmlightTkHeader& header, const Dataset& support)
      : header_(header), support_(support) {}

  std::string kernel() const {
    const double type = header_.number("-t");
    // These are SVM-light's own: the first vector alone, never normalised.
    if (type < 5) return vector_kernel("-t", "0");
    if (type != 5) header_.fail("-t", "of the kernels with trees only number 5 is supported");
    return combination();
  }

 private:
  std::string combination() const {
    if (header_.has("-U") && header_.number("-U") != 0) {
      header_.fail("-U", "the file tree_kernels.param, which the kernel depends on, is not read");
    }
    switch (header_.letter("-C")) {
      case 'T':
        return trees();
      case 'V':
        return sum_of(vectors());
      case '*':
        return product();
      case '+':
        return sum();
      default:
        header_.fail("-C", "expected T, V, + or *");
    }
  }

  std::string sum() const {
    const double weight = header_.number_within("-T", 0, largest);
    std::vector<std::string> terms = vectors();
    if (!support_.trees().empty()) {
      terms.push_back(weight == 1 ? trees() : print_number(weight) + "*" + trees());
    }
    return sum_of(terms);
  }

  std::string product() const {
    const std::vector<std::string> terms = vectors();
    return terms.size() == 1 ? fmt::format("{}*{}", trees(), terms[0])
                             : fmt::format("{}*({})", trees(), sum_of(terms));
  }

  static std::string sum_of(const std::vector<std::string>& terms) {
    std::string out;
    for (const std::string& term : terms) out += (out.empty() ? "" : " + ") + term;
    return out.empty() ? "0" : out;
  }

  /// Whether -N requests normalisation: 1 for trees, 2 for vectors, 3 for both.
  bool norm(int what) const {
    const double norm = header_.whole_number_within("-N", 0, 3);
    return norm == what || norm == 3;
  }

  std::string trees() const {
    if (support_.trees().empty()) return "0";
    const char how = header_.letter("-W");
    const bool one = support_.trees().size() == 1;
    if (how == 'S' && one) return normed(norm(1), tree_kernel(support_.trees()[0].slot.name));
    if (how == 'S') return fmt::format("each({})", normed(norm(1), tree_kernel("")));
    if (how == 'A') return fmt::format("all({})", normed(norm(1), tree_kernel("")));
    header_.fail("-W", "of the ways to combine trees only S and A are supported");
  }

  /// The kernel on the trees of that name; on any tree if it is empty.
  std::string tree_kernel(const std::string& name) const {
    const std::string tree = name.empty() ? "" : name + ", ";
    const std::string decay = print_number(header_.number_within("-L", 0, 1));
    if (header_.has("-D")) {  // version 1.2
      // Its ST skips children that differ, which is not the subtree kernel.
      if (header_.number("-D") != 1) header_.fail("-D", "only 1, SST, is supported");
      return fmt::format("sst({}lambda={})", tree, decay);
    }
    const double kind = header_.number("-F");
    if (kind == 0) return fmt::format("st({}decay={}, weight=productions)", tree, decay);
    if (kind == 1) return fmt::format("sst({}lambda={})", tree, decay);
    if (kind == 2) return fmt::format("sst({}lambda={}, leaves=true)", tree, decay);
    if (kind == 3) {
      const std::string mu = print_number(header_.number_within("-M", 0, 1));
      return fmt::format("pt({}lambda={}, mu={}, max_length=5)", tree, decay, mu);
    }
    header_.fail("-F",
                 "of the tree kernels only 0 (ST), 1 (SST), 2 (SST-bow), 3 (PT) are supported");
  }

  /// One term for each vector position.
  std::vector<std::string> vectors() const {
    std::vector<std::string> terms;
    if (support_.vectors().empty()) return terms;
    const char how = header_.letter("-V");
    if (how != 'S' && how != 'A') {
      header_.fail("-V", "of the ways to combine vectors only S and A are supported");
    }
    if (how == 'A' && support_.vectors().size() > 1) {
      header_.fail("-V",
                   "several vectors, each with all of the other example, cannot be written as an "
                   "expression");
    }
    const double kind = header_.number("-S");
    if (kind == 2 && norm(2)) {
      header_.fail("-N",
                   "with -S 2 the program divides by a number that it has not computed yet, so "
                   "that the kernel of this model is undefined");
    }
    for (const VectorColumn& column : support_.vectors()) {
      const bool everywhere = std::ranges::all_of(column.present, [](auto p) { return p != 0; });
      // SVM-light-TK uses 0 there; an expression would use the kernel with an empty vector.
      if (!everywhere && (kind == 2 || (kind == 1 && header_.number("-r") != 0))) {
        header_.fail("-S",
                     fmt::format("only linear kernels are supported for examples of which some "
                                 "lack a vector (number {} here)",
                                 column.slot.name));
      }
      terms.push_back(normed(norm(2), vector_kernel("-S", column.slot.name)));
    }
    return terms;
  }

  /// The kernel on the vectors of that name that the value of `parameter` selects.
  std::string vector_kernel(std::string_view parameter, const std::string& name) const {
    const double kind = header_.number(parameter);
    if (kind == 0) return fmt::format("linear({})", name);
    if (kind == 1) {
      return fmt::format("poly({}, degree={}, scale={}, offset={})", name,
                         print_number(header_.whole_number_within("-d", 1, 64)),
                         print_number(header_.number_within("-s", 0, largest)),
                         print_number(header_.number_within("-r", 0, largest)));
    }
    if (kind == 2) {
      return fmt::format("rbf({}, gamma={})", name,
                         print_number(header_.number_within("-g", 0, largest)));
    }
    if (kind == 3) header_.fail(parameter, "the sigmoid kernel is not supported");
    if (kind == 4) header_.fail(parameter, "a custom kernel is not stored in the file");
    header_.fail(parameter, "expected 0 (linear), 1 (polynomial) or 2 (radial)");
  }

  const SvmlightTkHeader& header_;
  const Dataset& support_;
};

/// Takes the first number of a support vector's line, which the data reader took for the class or
/// the target.
double take_coefficient(Example& example) {
  const Label label = std::move(example.labels.at(0));
  example.labels.clear();
  return label.value ? *label.value : *parse_number(label.name);
}

}  // namespace

SvmLightTkModel read_svmlight_tk_model(const std::string& path) {
  Source source(path);
  const SvmlightTkHeader header(source);
  const auto count = [&](std::string_view name, double low) {
    return static_cast<std::uint64_t>(header.whole_number_within(name, low, most_counted));
  };
  SvmLightTkModel model;
  model.version = header.version();
  model.threshold = header.number(SvmlightTkHeader::threshold);
  model.highest_feature = count(SvmlightTkHeader::features, 0);
  model.training_examples = count(SvmlightTkHeader::examples, 0);
  const std::uint64_t promised = count(SvmlightTkHeader::support, 1) - 1;
  const bool with_trees = header.number("-t") >= 5;

  const auto reader = svmlight_tk_format.reader(std::move(source), {});
  for (Example example; reader->next(example);) {
    if (model.coefficients.size() == promised) {
      throw InputError(
          reader->location(),
          fmt::format("the header announces {} support vectors; this is one more", promised));
    }
    if (with_trees && example.trees.empty() && example.vectors.empty()) {
      throw InputError(reader->location(), "a support vector without a tree or a vector");
    }
    model.coefficients.push_back(take_coefficient(example));
    model.support.add(example);
  }
  if (model.coefficients.size() < promised) {
    throw InputError(reader->location(), fmt::format("the file ends after {} of {} support vectors",
                                                     model.coefficients.size(), promised));
  }
  model.kernel = Translation(header, model.support).kernel();
  return model;
}

}  // namespace espalier
