#include <algorithm>
#include <filesystem>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

namespace fs = std::filesystem;

/// Finds the files below a folder. Hidden ones are skipped, and so are, unless they are followed,
/// links that lead out of the folder and links to folders.
class FolderWalk {
 public:
  FolderWalk(const std::string& folder, bool follow_links)
      : folder_(folder), root_(fs::canonical(folder)), follow_links_(follow_links) {
    folders_.push_back({folder, {root_}});
    while (!folders_.empty()) {
      const Folder here = std::move(folders_.back());
      folders_.pop_back();
      for (const auto& entry : fs::directory_iterator(here.path)) visit(entry, here);
    }
    // Sorted by name so that the order is the same everywhere.
    std::ranges::sort(files);
  }

  std::vector<std::string> files;  ///< relative to the folder
  std::size_t skipped = 0;         ///< links

 private:
  struct Folder {
    fs::path path;
    std::vector<fs::path> chain;  ///< from the root to this folder, each without links
  };

  void visit(const fs::directory_entry& entry, const Folder& folder) {
    const fs::path& path = entry.path();
    if (path.filename().string().starts_with('.')) return;
    const bool link = entry.is_symlink();
    if (link && is_loop(path)) throw Error("cannot read " + path.string() + ": a link to itself");
    if (!entry.exists()) {
      ++skipped;
      return;
    }
    const fs::path real_path = link ? fs::canonical(path) : folder.chain.back() / path.filename();
    if (link && !follow_links_ && (entry.is_directory() || !is_within(real_path, root_))) {
      ++skipped;
    } else if (entry.is_directory()) {
      const auto leads_back = [&](const fs::path& above) { return is_within(above, real_path); };
      if (link && std::ranges::any_of(folder.chain, leads_back)) {
        throw Error("cannot read " + path.string() + ": a link to a folder that it is in");
      }
      folders_.push_back({path, folder.chain});
      folders_.back().chain.push_back(real_path);
    } else if (entry.is_regular_file()) {
      files.push_back(path.lexically_relative(folder_).string());
    }
  }

  static bool is_loop(const fs::path& link) {
    std::error_code error;
    return fs::canonical(link, error).empty() && error == std::errc::too_many_symbolic_link_levels;
  }

  /// Whether `path` is `folder` or below it; both without links.
  static bool is_within(const fs::path& path, const fs::path& folder) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
  }

  fs::path folder_;
  fs::path root_;
  bool follow_links_;
  std::vector<Folder> folders_;  ///< to be read
};

std::vector<std::string> files_below(const std::string& folder, const ReadOptions& options) {
  try {
    FolderWalk walk(folder, options.follow_links);
    if (walk.skipped > 0 && options.warn) {
      options.warn(folder + ": skipped " + counted(walk.skipped, "link") +
                   " out of the folder, to a folder or to nothing; the option links follows them");
    }
    if (walk.files.empty()) throw Error(folder + ": there are no files in this folder");
    return std::move(walk.files);
  } catch (const fs::filesystem_error& error) {
    throw Error("cannot read " + folder + ": " + error.code().message());
  }
}

/// The examples of all files below a folder. The name of the immediate subfolder is the class.
class DirectoryReader final : public ExampleReader {
 public:
  DirectoryReader(std::string folder, const ReadOptions& options)
      : folder_(std::move(folder)), options_(options), files_(files_below(folder_, options)) {
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
