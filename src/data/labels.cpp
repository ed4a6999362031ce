#include "espalier/data/labels.hpp"

#include <fmt/format.h>

#include <cmath>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier {

std::optional<double> number_of(const Dataset& data, const LabelEntry& label) {
  return label.value ? label.value : parse_number(data.label_names().text(label.name));
}

std::string class_of(const Dataset& data, const LabelEntry& label) {
  std::string name(data.label_names().text(label.name));
  return name.empty() && label.value ? print_number(*label.value) : name;
}

std::string LabelKinds::warning() const {
  if (names == 0 || integers + numbers == 0) return "";
  return fmt::format(
      "{} of the {} labels are numbers and the others are names: each is taken as a class",
      grouped(integers + numbers), grouped(names + integers + numbers));
}

LabelKinds count_labels(const Dataset& data) {
  LabelKinds out;
  std::optional<std::size_t> not_finite;  // the first example with such a label
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const LabelEntry& label : data.labels(i)) {
      const std::string_view name = data.label_names().text(label.name);
      const auto number = number_of(data, label);
      if (!number) {
        ++out.names;
        if (!not_finite && is_not_finite(name)) not_finite = i;
      } else if (*number == std::floor(*number) && (!label.value || name.empty())) {
        ++out.integers;
      } else {
        ++out.numbers;
      }
    }
  }
  if (not_finite && out.integers + out.numbers > 0) {
    throw Error(fmt::format("example {} has a label that is not a finite number, among numbers",
                            *not_finite + 1));
  }
  return out;
}

}  // namespace espalier
