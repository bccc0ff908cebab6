#pragma once

#include <cstdint>
#include <map>

#include "base/address.hpp"
#include "base/file_context.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// The extents that a walk has viewed. In a sound file no two nodes of a structure overlap. A walk
/// that checks this cannot loop, and does no more work than the file has bytes.
class VisitedExtents {
 public:
  /// Throws Error (format) naming `what` if [address, address + length) overlaps an earlier extent.
  void add(Address address, std::uint64_t length, const FileContext& file, const char* what);

 private:
  std::map<std::uint64_t, std::uint64_t> end_of_;  // by start
};

}  // namespace onecast::structures
