#pragma once

#include <cstddef>
#include <string>

#include "espalier/base/error.hpp"

namespace espalier::python {

/// Something is wrong about one of many things that a caller gave.
class ElementError : public Error {
 public:
  ElementError(std::size_t index, const std::string& message) : Error(message), index_(index) {}
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

}  // namespace espalier::python
