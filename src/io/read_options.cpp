#include "espalier/io/read_options.hpp"

#include <fmt/format.h>

#include "espalier/base/error.hpp"

namespace espalier {

std::vector<Setting> reading_settings(const ReadOptions& options) {
  std::vector<Setting> out = changed_settings(options);
  std::erase_if(out, [](const Setting& setting) {
    return setting.name == "format" || setting.name.starts_with("max_");
  });
  return out;
}

void imply_format(ReadOptions& options, std::span<const std::string> given) {
  const Parameters parameters(options);
  for (const std::string& name : given) {
    if (parameters.find(name).users != "conllu" || options.format == "conllu") continue;
    if (!options.format.empty()) {
      throw Error(fmt::format("{} is for conllu, not for {}", name, options.format));
    }
    options.format = "conllu";
  }
  const SentenceOptions& sentences = options.sentences;
  if (!sentences.label_until.empty() && sentences.label_from.empty()) {
    throw Error("label_until needs label_from");
  }
  if (sentences.candidates != Candidates::sentences && !sentences.label_from.empty()) {
    throw Error("candidates have classes of their own: leave label_from out");
  }
}

}  // namespace espalier
