#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "tree/tree.hpp"

namespace onecast::cgns {

/// The values of CG_MODE_READ, CG_MODE_WRITE, CG_MODE_MODIFY.
enum class Mode : std::uint8_t { read, write, modify };

/// A file that the program has open.
struct OpenFile {
  int number;  ///< what the API calls fn
  Mode mode;
  bool is_parallel;  ///< opened by cgp_open
  pid_t process = getpid();
  int deleted = 0;  ///< nodes deleted or replaced, for cg_set_compress
  std::unique_ptr<Tree> tree = {};
  /// What cg_zconn_set and its relatives set, of zones.
  std::unordered_map<const Node*, int> active_connectivity = {};

  [[nodiscard]] Node& root() const { return tree->root(); }
};

}  // namespace onecast::cgns
