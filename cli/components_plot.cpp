#include "components_plot.hpp"

#include <fmt/format.h>

#include "espalier/evaluate/splits.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/model/targets.hpp"

namespace espalier::cli {

std::string components_plot(bool page, const std::string& title, const Dataset& data,
                            const PrincipalComponents& pca) {
  ScatterOptions scatter;
  scatter.title = title;
  for (std::size_t c = 0; c < pca.explained_variance_ratio.size(); ++c) {
    scatter.axes.push_back(fmt::format("component {}: {:.1f} % of the variance", c + 1,
                                       100 * pca.explained_variance_ratio[c]));
  }
  const bool labelled = data.size() > 0 && !data.labels(0).empty();
  if (labelled) {
    const Targets targets = make_targets(data, Task::classification);
    scatter.classes = targets.names;
    scatter.groups = rarest_classes(targets.classes);
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string text = shown_text(data.example(i));
    scatter.texts.push_back(
        labelled ? fmt::format("{}: {}", scatter.classes[scatter.groups[i]], text) : text);
  }
  return page ? scatter_page(pca.rows, scatter) : scatter_svg(pca.rows, scatter);
}

}  // namespace espalier::cli
