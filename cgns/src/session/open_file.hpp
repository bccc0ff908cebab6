#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "tree/tree.hpp"

namespace onecast::cgns {

/// The values of CG_MODE_READ, CG_MODE_WRITE, CG_MODE_MODIFY.
enum class Mode : std::uint8_t { read, write, modify };

/// A file that the program has open.
struct OpenFile {
  int number;  ///< the argument `fn` of the API
  Mode mode;
  bool is_parallel;  ///< opened by cgp_open
  pid_t process = getpid();
  int deleted = 0;  ///< number of nodes that were deleted or replaced, for cg_set_compress
  std::unique_ptr<Tree> tree = {};
  /// The set that cg_zconn_set and similar functions made active, for each zone.
  std::unordered_map<const Node*, int> active_connectivity = {};

  [[nodiscard]] Node& root() const { return tree->root(); }
};

}  // namespace onecast::cgns
