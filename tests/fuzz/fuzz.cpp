// One program for each target: libFuzzer feeds it inputs, and it must end in a value or an Error.
// ESPALIER_FUZZ_TARGET is the name of a format, "expression" or "model".
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
#include "espalier/kernel/kernel.hpp"
#include "espalier/model/model.hpp"

namespace {

using namespace espalier;

constexpr std::string_view target = ESPALIER_FUZZ_TARGET;

/// A file in memory with this content.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    const auto bytes = static_cast<ssize_t>(content.size());
    if (write(descriptor_, content.data(), content.size()) != bytes) std::abort();
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// The first byte chooses the options, the rest is the file.
[[maybe_unused]] void read_examples(std::string_view input) {
  if (input.empty()) return;
  const auto bits = static_cast<unsigned char>(input[0]);
  const auto bit = [&](int i) { return (bits >> i & 1) != 0; };
  ReadOptions options;
  options.format = target;
  options.mapping = {.text = bit(0),
                     .classes = bit(1),
                     .attributes = bit(2),
                     .lengths = bit(3),
                     .fields = bit(3),
                     .linkages = static_cast<Linkages>(bits / 16 % 3)};
  options.invalid_utf8 = static_cast<InvalidUtf8>(bits / 64 % 3);
  constexpr const char* columns[] = {"class=1,tree=2", "newick=2", "sequence=1,dot-bracket=2",
                                     "class=a,glycan=b"};
  options.columns = columns[bits / 16 % 4];
  options.warn = [](const std::string&) {};
  const MemoryFile file(input.substr(1));
  Dataset data = read(file.path(), options);
  for (std::size_t i = 0; i < data.size(); ++i) data.example(i);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    if constexpr (target == "expression") {
      for (const Kernel& kernel : parse_sweep(std::string(input))) Kernel(kernel.to_string());
    } else if constexpr (target == "model") {
      load_model(MemoryFile(input).path());
    } else {
      read_examples(input);
    }
  } catch (const Error&) {
    // The right answer to a wrong input.
  }
  return 0;
}
