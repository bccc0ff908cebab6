#pragma once

#include <sys/stat.h>

#include <compare>
#include <ctime>
#include <optional>

namespace onecast_hdf5 {

/// What tells files of the system apart, whatever their paths are.
struct FileKey {
  dev_t device = 0;
  ino_t inode = 0;
  auto operator<=>(const FileKey&) const = default;

  /// The file to which a path leads; absent if there is none.
  static std::optional<FileKey> of(const char* path);
};

/// A file, and what changes when a program writes to it.
struct FileVersion {
  FileKey key{};
  off_t size = 0;
  std::time_t seconds = 0;
  long nanoseconds = 0;
  bool operator==(const FileVersion&) const = default;

  /// The file to which a path leads, as it is now; absent if there is none.
  static std::optional<FileVersion> of(const char* path) {
    struct stat found{};
    if (stat(path, &found) != 0) return std::nullopt;
    return FileVersion{
        {found.st_dev, found.st_ino}, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
  }
};

inline std::optional<FileKey> FileKey::of(const char* path) {
  const auto found = FileVersion::of(path);
  return found ? std::optional(found->key) : std::nullopt;
}

}  // namespace onecast_hdf5
