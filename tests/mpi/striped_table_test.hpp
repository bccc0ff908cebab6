#pragma once

#include <cstdlib>

#include "parallel_test.hpp"

namespace onecast::test {

/// Tables of which each rank has some columns, which are many small pieces in small stripes.
class StripedTableTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kRows = 64;
  static constexpr std::uint64_t kColumns = 4;  // the columns of each rank

  StripedTableTest() { setenv("ONECAST_PRETEND_STRIPES", "256:3", 1); }
  ~StripedTableTest() override { unsetenv("ONECAST_PRETEND_STRIPES"); }

  [[nodiscard]] std::uint64_t width() const {
    return kColumns * static_cast<std::uint64_t>(size());
  }
  static Hyperslab columns(int rank) {
    return {{0, static_cast<std::uint64_t>(rank) * kColumns}, {kRows, kColumns}, {}, {}};
  }
};

}  // namespace onecast::test
