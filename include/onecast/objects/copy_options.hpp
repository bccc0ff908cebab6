#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onecast/objects/dataset.hpp"

namespace onecast {

/// What is to differ in how a dataset is stored.
struct StorageChange {
  /// Absent: chunked if `chunk` or `filters` ask for it, else as it is.
  std::optional<Layout> layout = {};
  /// Elements per chunk. Empty: as it is; of what was not chunked, chunks of at most 1 MiB.
  Shape chunk = {};
  /// Absent: as they are. Empty: none.
  std::optional<std::vector<Filter>> filters = {};
};

/// See Group::copy.
struct CopyOptions {
  bool shallow = false;          ///< of groups in the copied group: no members
  bool expand_soft = false;      ///< instead of a soft link that leads somewhere: a copy of that
  bool expand_external = false;  ///< the same of external links
  bool without_attributes = false;
  /// By path from the copied object; "": of each dataset that has no entry and can be stored so.
  /// The @same on all ranks.
  std::map<std::string, StorageChange, std::less<>> storage = {};
  /// Called with bytes of elements, as often as a block of them was copied. By rank 0 alone.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

}  // namespace onecast
