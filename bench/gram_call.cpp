// How long the C++ call takes that bench/python/overhead compares with: gram() of a file, after
// reading.
//
//     espalier_gram_call KERNEL FILE     prints seconds by the wall, the shortest of several runs

#include <fmt/format.h>

#include "espalier/gram/gram.hpp"
#include "espalier/io/format.hpp"
#include "stopwatch.hpp"

int main(int count, char** arguments) {
  if (count != 3) {
    fmt::print("usage: espalier_gram_call KERNEL FILE\n");
    return 2;
  }
  const espalier::Kernel kernel{arguments[1]};
  const espalier::Dataset data = espalier::read(arguments[2]);
  const auto time = espalier::bench::shortest([&] { espalier::gram(kernel, data); });
  fmt::print("{:.6f}\n", time.wall);
}
