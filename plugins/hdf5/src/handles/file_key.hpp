#pragma once

#include <sys/stat.h>

#include <compare>
#include <optional>

namespace onecast_hdf5 {

/// What tells files of the system apart, whatever their paths are.
struct FileKey {
  dev_t device = 0;
  ino_t inode = 0;
  auto operator<=>(const FileKey&) const = default;

  /// The file to which a path leads; absent if there is none.
  static std::optional<FileKey> of(const char* path) {
    struct stat found{};
    if (stat(path, &found) != 0) return std::nullopt;
    return FileKey{found.st_dev, found.st_ino};
  }
};

}  // namespace onecast_hdf5
