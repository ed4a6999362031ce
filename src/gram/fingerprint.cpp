#include "espalier/gram/fingerprint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

#include "espalier/gram/kernel_functions.hpp"
#include "gram/function_archive.hpp"

namespace espalier {

namespace {

uLong add_to(uLong sum, const std::string& bytes) {
  return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

std::string fingerprint(const Dataset& data, const Context& context) {
  struct Part {
    uLong sum = 0;
    std::size_t size = 0;
  };
  constexpr std::size_t block = 1024;
  std::vector<Part> parts((data.size() + block - 1) / block);
  Context quiet = context;
  quiet.progress = nullptr;
  const auto work = [&](std::size_t, std::size_t task) {
    const std::size_t end = std::min(data.size(), (task + 1) * block);
    for (std::size_t i = task * block; i < end; ++i) {
      ArchiveWriter example;
      example(kernel_input(data.example(i)));
      parts[task].sum = add_to(parts[task].sum, example.bytes());
      parts[task].size += example.bytes().size();
    }
  };
  parallel(parts.size(), quiet, work, [](std::size_t) { return 1.0; });
  uLong sum = 0;
  for (const Part& part : parts) {
    sum = crc32_combine(sum, part.sum, static_cast<z_off_t>(part.size));
  }
  return fmt::format("{} examples {:08x}", data.size(), sum);
}

std::string fingerprint(const FittedKernel& kernel) {
  return fmt::format("{} {:08x}", kernel.to_string(), add_to(0, KernelFunctions(kernel).save()));
}

}  // namespace espalier
