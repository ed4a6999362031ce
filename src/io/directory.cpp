#include <algorithm>
#include <filesystem>

#include "espalier/base/error.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

namespace fs = std::filesystem;

/// All files below a folder, sorted by name so that the order is the same everywhere. Hidden files
/// are skipped, and links to folders are not followed.
std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> out;
  try {
    for (auto entry = fs::recursive_directory_iterator(folder);
         entry != fs::recursive_directory_iterator(); ++entry) {
      const bool hidden = entry->path().filename().string().starts_with('.');
      if (hidden && entry->is_directory()) entry.disable_recursion_pending();
      if (!hidden && entry->is_regular_file()) {
        out.push_back(entry->path().lexically_relative(folder).string());
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw Error("cannot read " + folder + ": " + error.code().message());
  }
  if (out.empty()) throw Error(folder + ": there are no files in this folder");
  std::ranges::sort(out);
  return out;
}

/// The examples of all files below a folder. The name of the immediate subfolder is the class.
class DirectoryReader final : public ExampleReader {
 public:
  DirectoryReader(std::string folder, const ReadOptions& options)
      : folder_(std::move(folder)), options_(options), files_(files_below(folder_)) {
    const std::size_t colon = options.format.find(':');
    options_.format = colon == std::string::npos ? "" : options.format.substr(colon + 1);
    if (!options_.format.empty()) format_named(options_.format);
  }

  bool next(Example& example) override {
    for (; next_file_ <= files_.size(); open_next()) {
      if (file_ == nullptr || !file_->next(example)) continue;
      begin_at(file_->location());
      const std::string& name = files_[next_file_ - 1];
      const std::size_t slash = name.find('/');
      if (slash != std::string::npos) example.labels = {{name.substr(0, slash), {}}};
      // Columns of the file itself take precedence.
      example.texts.insert(example.texts.begin(), {"file", name});
      return true;
    }
    return false;
  }

 private:
  void open_next() {
    file_ = next_file_ < files_.size()
                ? open_reader((fs::path(folder_) / files_[next_file_]).string(), options_)
                : nullptr;
    ++next_file_;
  }

  std::string folder_;
  ReadOptions options_;
  std::vector<std::string> files_;
  std::size_t next_file_ = 0;
  std::unique_ptr<ExampleReader> file_;
};

}  // namespace

std::unique_ptr<ExampleReader> open_directory(const std::string& path, const ReadOptions& options) {
  if (!fs::is_directory(path)) throw Error("cannot read " + path + ": it is not a directory");
  return std::make_unique<DirectoryReader>(path, options);
}

const Format directory_format = {
    .name = "directory",
    .description = "a folder of files: the folder that a file is in is its class",
    .suffixes = {},
    .matches = [](std::string_view) { return false; },
    .reader = [](Source source, const ReadOptions&) -> std::unique_ptr<ExampleReader> {
      throw Error("cannot read " + source.name() + ": it is not a directory");
    },
};

}  // namespace espalier
