#pragma once

#include <sys/types.h>

#include <memory>

namespace onecast_hdf5 {

/// The files that this process has open for writing, through the native library. What it has not
/// written yet is seen by the native library alone.
class NativeFiles {
 public:
  /// Notes a file until the last copy of the result is destroyed.
  static std::shared_ptr<const void> add(const char* name);
  static bool is_written(const char* name);
  /// True if there are such files.
  static bool any();
};

}  // namespace onecast_hdf5
