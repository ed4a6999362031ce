#include "espalier/model/word_vectors.hpp"

#include <algorithm>
#include <filesystem>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/word_vectors.hpp"
#include "similarity/label_similarity.hpp"

namespace espalier {

namespace {

/// Calls visit(options) for every kernel in the expression that names a file of word vectors.
template <class Visit>
void for_each_file(const KernelNode& node, Visit&& visit) {
  if (const auto* leaf = std::get_if<TreeKernelNode>(&node.what)) {
    const auto visit_one = [&]<class Options>(const Options& options) {
      if constexpr (std::is_base_of_v<SimilarityOptions, Options>) {
        if (!options.vectors.empty()) visit(options);
      }
    };
    std::visit(visit_one, leaf->options);
  } else if (const auto* inner = std::get_if<CombinationNode>(&node.what)) {
    for (const KernelNode& operand : inner->operands) for_each_file(operand, visit);
  }
}

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// All words in the trees.
LabelTable words_of(std::initializer_list<const Dataset*> data) {
  LabelTable words;
  for (const Dataset* set : data) {
    for (const auto& [name, forest] : set->forests()) {
      for (LabelId id = 0; id < forest.labels().size(); ++id) {
        for_each_word(forest.labels().text(id), [&](std::string_view word) { words.intern(word); });
      }
    }
  }
  return words;
}

/// The words needed from one file.
struct Request {
  bool mean = false;
  std::shared_ptr<const WordVectors> known = std::make_shared<WordVectors>();
};

/// Number of known words that are looked up again to check that the file has not changed.
constexpr std::size_t checked_words = 16;

void add_word(WordVectors& to, std::string_view word, const WordVectors& from) {
  const auto vector = from.find(word);
  to.words.intern(word);
  to.row.push_back(vector.empty() ? none : static_cast<std::uint32_t>(to.found()));
  to.values.insert(to.values.end(), vector.begin(), vector.end());
}

/// The same vectors, and words that have none.
std::shared_ptr<const WordVectors> without_vectors(const WordVectors& known,
                                                   const LabelTable& words) {
  auto out = std::make_shared<WordVectors>(known);
  for (LabelId id = 0; id < words.size(); ++id) {
    if (!known.knows(words.text(id))) add_word(*out, words.text(id), {});
  }
  return out;
}

void check_digest(const std::string& name, const std::string& file, const WordFiles& files) {
  const auto trained = files.digests.find(name);
  if (trained == files.digests.end() || word_file_digest(file) == trained->second) return;
  throw Error(file +
              " has changed since the model was trained: give the file of that time (vectors), "
              "or none for words without vectors");
}

/// Looks up the words that are not known yet.
std::shared_ptr<const WordVectors> look_up(const std::string& name, const Request& request,
                                           const LabelTable& words,
                                           const std::function<void(const std::string&)>& warn,
                                           const WordFiles& files) {
  const WordVectors& known = *request.known;
  if (files.ignored) return without_vectors(known, words);
  LabelTable missing;
  for (LabelId id = 0; id < words.size(); ++id) {
    if (!known.knows(words.text(id))) missing.intern(words.text(id));
  }
  const bool needs_mean = request.mean && known.mean.empty();
  if (missing.size() == 0 && !needs_mean) return request.known;
  const std::size_t new_words = missing.size();
  for (LabelId id = 0; id < known.words.size(); ++id) {
    if (missing.size() >= new_words + checked_words) break;
    if (known.row[id] != none) missing.intern(known.words.text(id));
  }
  WordVectors found;
  const std::string file = find_word_file(name, files);
  try {
    found = read_word_vectors(file, missing, {needs_mean, warn});
  } catch (const Error& error) {
    if (known.words.size() == 0) throw;
    throw Error(counted(new_words, "word") + " like " + in_quotes(missing.text(0)) +
                " were not there before, and their vectors cannot be looked up: " + error.what() +
                "; name the file (vectors), or none for words without vectors");
  }
  check_digest(name, file, files);
  auto out = std::make_shared<WordVectors>(known);
  if (known.words.size() == 0) out->dimension = found.dimension;
  for (LabelId id = 0; id < missing.size(); ++id) {
    const std::string_view word = missing.text(id);
    if (id < new_words) {
      add_word(*out, word, found);
    } else if (!std::ranges::equal(known.find(word), found.find(word))) {
      throw Error(file + " has another vector of " + in_quotes(word) +
                  " than the one that was learned with: it is not the same file");
    }
  }
  if (needs_mean) out->mean = found.mean;
  return out;
}

}  // namespace

std::vector<FittedKernel> load_word_vectors(std::span<const FittedKernel> kernels,
                                            std::initializer_list<const Dataset*> data,
                                            const std::function<void(const std::string&)>& warn,
                                            const WordFiles& files) {
  std::map<std::string, Request> requests;
  for (const FittedKernel& kernel : kernels) {
    for_each_file(kernel.root(), [&](const SimilarityOptions& options) {
      Request& request = requests[options.vectors];
      request.mean = request.mean || options.center;
      const auto known = kernel.state.words.find(options.vectors);
      if (known != kernel.state.words.end() &&
          known->second->words.size() > request.known->words.size()) {
        request.known = known->second;
      }
    });
  }
  std::vector<FittedKernel> out(kernels.begin(), kernels.end());
  if (requests.empty()) return out;
  if (requests.size() > 1 && !files.path.empty()) {
    throw Error("the kernel has several files of word vectors: " + files.path +
                " cannot stand for all of them");
  }
  const LabelTable words = words_of(data);
  std::map<std::string, std::shared_ptr<const WordVectors>> found;
  for (const auto& [name, request] : requests) {
    found[name] = look_up(name, request, words, warn, files);
  }
  for (FittedKernel& kernel : out) {
    for_each_file(kernel.root(), [&](const SimilarityOptions& options) {
      kernel.state.words[options.vectors] = found[options.vectors];
    });
  }
  return out;
}

FittedKernel load_word_vectors(const FittedKernel& kernel,
                               std::initializer_list<const Dataset*> data, const WordFiles& files) {
  return std::move(load_word_vectors({&kernel, 1}, data, {}, files)[0]);
}

std::string find_word_file(const std::string& name, const WordFiles& files) {
  if (!files.path.empty()) return files.path;
  const std::filesystem::path path(name);
  if (is_there(path)) return name;
  const std::filesystem::path folder(files.folder);
  if (path.is_relative() && is_there(folder / path)) return (folder / path).string();
  if (is_there(folder / path.filename())) return (folder / path.filename()).string();
  return name;
}

std::map<std::string, std::uint64_t> word_file_digests(const FittedKernel& kernel) {
  std::map<std::string, std::uint64_t> out;
  for_each_file(kernel.root(), [&](const SimilarityOptions& options) {
    // The words may have been looked up before, and the file be gone.
    const bool readable = is_there(options.vectors);
    if (readable && !out.contains(options.vectors)) {
      out[options.vectors] = word_file_digest(options.vectors);
    }
  });
  return out;
}

LabelTable unknown_words(const FittedKernel& kernel, const Dataset& data) {
  LabelTable out;
  const LabelTable words = words_of({&data});
  for_each_file(kernel.root(), [&](const SimilarityOptions& options) {
    const auto known = kernel.state.words.find(options.vectors);
    for (LabelId id = 0; id < words.size(); ++id) {
      if (known == kernel.state.words.end() || !known->second->knows(words.text(id))) {
        out.intern(words.text(id));
      }
    }
  });
  return out;
}

std::vector<WordCoverage> word_coverage(std::span<const FittedKernel> kernels) {
  std::map<std::string, std::shared_ptr<const WordVectors>> files;
  for (const FittedKernel& kernel : kernels) {
    files.insert(kernel.state.words.begin(), kernel.state.words.end());
  }
  std::vector<WordCoverage> out;
  for (const auto& [file, words] : files) {
    const auto found = static_cast<std::uint64_t>(words->row.size()) -
                       static_cast<std::uint64_t>(std::ranges::count(words->row, none));
    out.push_back({file, words->words.size(), found});
  }
  return out;
}

WordUse word_use(const Dataset& data, const std::string& file) {
  LabelTable words;
  std::vector<std::uint64_t> uses;
  for (const auto& [name, forest] : data.forests()) {
    std::vector<std::uint64_t> of_label(forest.labels().size(), 0);
    for (TreeId t = 0; t < forest.tree_count(); ++t) {
      for (const Occurrence& o : forest.occurrences(t)) of_label[forest.label(o.vertex)] += o.count;
    }
    for (LabelId id = 0; id < of_label.size(); ++id) {
      for_each_word(forest.labels().text(id), [&](std::string_view word) {
        const LabelId number = words.intern(word);
        if (number == uses.size()) uses.push_back(0);
        uses[number] += of_label[id];
      });
    }
  }
  const WordVectors vectors = read_word_vectors(file, words);
  WordUse out;
  out.words = words.size();
  for (LabelId id = 0; id < words.size(); ++id) {
    out.uses += uses[id];
    if (vectors.find(words.text(id)).empty()) {
      out.missing.push_back({std::string(words.text(id)), uses[id]});
    } else {
      out.found_uses += uses[id];
    }
  }
  std::ranges::stable_sort(out.missing, std::greater(), &WordUse::Word::uses);
  return out;
}

}  // namespace espalier
