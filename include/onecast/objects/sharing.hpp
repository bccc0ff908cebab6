#pragma once

#include <cstdint>

namespace onecast {

/// How ranks that read together, or write what all of them have, find out whether they mean the
/// same. An option of a file, and of a call.
enum class Sharing : std::uint8_t {
  /// read_all: one small reduction tells; the same is read by one rank and broadcast, else each
  /// rank
  /// reads its own. write_equal: nothing is sent, flush compares.
  automatic,
  /// All mean the same, and nothing is compared: read_all is one broadcast. A rank that means
  /// something else, or fails where the others do not, makes the program wrong, or hang.
  trust,
  /// All must mean the same, which one small reduction tells: if a rank does not, all throw Error
  /// (diverged), which names the ranks. So does write_equal.
  verify,
  /// read_all: ranks that want the same share one read and one broadcast among themselves, whatever
  /// the others want. write_equal: as verify.
  serve,
};

}  // namespace onecast
