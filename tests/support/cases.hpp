#pragma once

#include <gtest/gtest.h>

#include <string>

namespace espalier::test {

/// Names the tests of a table after the member `name` of its rows.
struct RowName {
  template <class Row>
  std::string operator()(const testing::TestParamInfo<Row>& row) const {
    return row.param.name;
  }
};

/// Base of the rows of a table; GoogleTest shows their names.
struct Row {
  std::string name;
  friend std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }
};

}  // namespace espalier::test
