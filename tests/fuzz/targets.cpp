#include "fuzz/targets.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/svmlight_tk_model.hpp"
#include "espalier/io/word_vectors.hpp"
#include "espalier/kernel/kernel.hpp"
#include "espalier/model/model.hpp"

namespace espalier::fuzz {

namespace {

/// A file in memory with this content.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    const auto bytes = static_cast<ssize_t>(content.size());
    if (::write(descriptor_, content.data(), content.size()) != bytes) {
      throw std::runtime_error("there is no room for the input");
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

ReadOptions options_of(std::string_view format, unsigned bits) {
  const auto bit = [&](int i) { return (bits >> i & 1) != 0; };
  ReadOptions out;
  out.format = format;
  out.mapping = {.text = bit(0),
                 .classes = bit(1),
                 .attributes = bit(2),
                 .lengths = bit(3),
                 .fields = bit(3),
                 .linkages = static_cast<Linkages>(bits / 16 % 3)};
  out.sentences.represent = {SentenceForm::grct, SentenceForm::lct, SentenceForm::loct,
                             SentenceForm::cgrct, SentenceForm::clct};
  out.sentences.words = {
      .forms = bit(0), .coarse = bit(1), .lower_case = bit(2), .punctuation = bit(3)};
  out.sentences.candidates = static_cast<Candidates>(bits / 16 % 3);
  out.sentences.label_from = bit(0) ? "genre" : "";
  out.invalid_utf8 = static_cast<InvalidUtf8>(bits / 64 % 3);
  constexpr const char* columns[] = {"class=1,tree=2", "newick=2", "sequence=1,dot-bracket=2",
                                     "class=a,glycan=b"};
  if (format == "csv") out.columns = columns[bits / 16 % 4];
  out.warn = [](const std::string&) {};
  return out;
}

void feed_format(std::string_view format, std::string_view input) {
  if (input.empty()) return;
  const MemoryFile file(input.substr(1));
  const Dataset data =
      read(file.path(), options_of(format, static_cast<unsigned char>(input.front())));
  for (std::size_t i = 0; i < data.size(); ++i) data.example(i);
}

void feed_expression(std::string_view input) {
  for (const Kernel& kernel : parse_sweep(input)) {
    if (Kernel(kernel.to_string()) != kernel) {
      throw std::runtime_error("the canonical form is another kernel: " + kernel.to_string());
    }
  }
}

void feed_word_vectors(std::string_view input) {
  LabelTable words;
  for (const char* const word : {"cat", "Dog::n", "the"}) words.intern(word);
  const MemoryFile file(input);
  for (const bool mean : {false, true}) {
    read_word_vectors(file.path(), words, {.mean = mean, .warn = [](const std::string&) {}});
  }
}

/// With the size and the checksum that its content should have, so that more than these is tested.
std::string repaired(std::string_view model) {
  constexpr std::size_t size_at = 19, sum_at = size_at + 8, payload_at = sum_at + 4;
  std::string out(model);
  if (out.size() < payload_at) return out;
  const std::uint64_t size = out.size() - payload_at;
  const auto* payload = reinterpret_cast<const Bytef*>(out.data() + payload_at);
  const auto sum = static_cast<std::uint32_t>(crc32_z(0, payload, size));
  std::memcpy(out.data() + size_at, &size, sizeof size);
  std::memcpy(out.data() + sum_at, &sum, sizeof sum);
  return out;
}

void feed_model(std::string_view input) {
  const Model model = load_model(MemoryFile(repaired(input)).path());
  static const Dataset data = read(MemoryFile("A\t1\t(S (NP dog) (VP (V barks)))\n").path());
  predict(model, data, {.threads = 1});
}

}  // namespace

std::vector<std::string> targets() {
  std::vector<std::string> out = {"expression", "word-vectors", "svmlight-tk-model", "model"};
  for (const Format& format : formats()) {
    // A folder holds files of the other formats.
    if (format.name != "directory") out.emplace_back(format.name);
  }
  return out;
}

void feed(std::string_view target, std::string_view input) {
  try {
    if (target == "expression") {
      feed_expression(input);
    } else if (target == "word-vectors") {
      feed_word_vectors(input);
    } else if (target == "svmlight-tk-model") {
      read_svmlight_tk_model(MemoryFile(input).path());
    } else if (target == "model") {
      feed_model(input);
    } else {
      feed_format(target, input);
    }
  } catch (const Error&) {
    // The right answer to a wrong input.
  }
}

}  // namespace espalier::fuzz
