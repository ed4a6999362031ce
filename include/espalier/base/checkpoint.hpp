#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace espalier {

/// Stores the finished pieces of a long computation, each with its number.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  /// Calls use(number, bytes) for each finished piece, in the order of append(). Must be called
  /// before the first append(), which continues after the last finished piece.
  virtual void replay(
      const std::function<void(std::uint64_t number, std::string_view bytes)>& use) = 0;
  /// Adds a piece. May be called from several threads.
  virtual void append(std::uint64_t number, std::string_view bytes) = 0;
  /// Replaces all pieces by one. An interruption leaves either.
  virtual void replace(std::uint64_t number, std::string_view bytes) = 0;
};

}  // namespace espalier
