#pragma once

#include <atomic>
#include <cstdint>

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::files {

/// The number of openings of a file in this process that have not ended. Any number of threads may
/// begin and end openings.
class OpeningCount {
 public:
  void begin(Access how) { counts_ += one(how); }
  void end(Access how) { counts_ -= one(how); }
  [[nodiscard]] bool any_for_writing() const { return counts_ >= one(Access::read_write); }
  [[nodiscard]] bool any() const { return counts_ != 0; }

 private:
  static std::uint64_t one(Access how) {
    return how == Access::read_write ? std::uint64_t{1} << 32U : 1;
  }

  std::atomic<std::uint64_t> counts_{0};  ///< lower half: for reading; upper half: for writing
};

}  // namespace onecast::files
