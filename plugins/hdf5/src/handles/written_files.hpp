#pragma once

#include <memory>

namespace onecast_hdf5 {

class Library;

/// The files that this process has open for writing. What is not written yet is seen only by who
/// writes: a native library, or Onecast for one of the HDF5 libraries of the process.
class WrittenFiles {
 public:
  /// Notes a file until the last copy of the result is destroyed.
  /// @param by the library for which Onecast writes it; null: a native library writes it
  static std::shared_ptr<const void> add(const char* name, const Library* by);

  static bool is_native(const char* name);
  /// True if there are native ones.
  static bool any_native();
  /// True if Onecast writes a file for another library than this one.
  static bool is_of_other_library(const char* name, const Library& than);
  /// True if there are such files.
  static bool any_of_other_library(const Library& than);
};

}  // namespace onecast_hdf5
