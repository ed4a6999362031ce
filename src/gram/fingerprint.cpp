#include "espalier/gram/fingerprint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "espalier/gram/kernel_functions.hpp"
#include "gram/function_archive.hpp"

namespace espalier {

namespace {

uLong add_to(uLong sum, const std::string& bytes) {
  return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

std::string fingerprint(const Dataset& data) {
  uLong sum = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    ArchiveWriter example;
    example(kernel_input(data.example(i)));
    sum = add_to(sum, example.bytes());
  }
  return fmt::format("{} examples {:08x}", data.size(), sum);
}

std::string fingerprint(const FittedKernel& kernel) {
  return fmt::format("{} {:08x}", kernel.to_string(), add_to(0, KernelFunctions(kernel).save()));
}

}  // namespace espalier
