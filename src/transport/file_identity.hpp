#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/namespaces.hpp"

namespace onecast::transport {

/// Which file of the system something is, whatever its path. Trivially copyable, for broadcasts.
struct FileIdentity {
  std::uint64_t node = 0;  ///< where `device` means something: see of()
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  ///< 0: not a file of the system

  static FileIdentity of(const struct stat& status);
  /// Of the file at `path`, behind symbolic links; absent if it cannot be asked for.
  static std::optional<FileIdentity> at(const std::string& path);

  [[nodiscard]] bool is_known() const { return inode != 0; }
  bool operator==(const FileIdentity&) const = default;
};

/// Another one than before says that somebody has written to the file.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t seconds = 0;  ///< when it was written last; 0: not known
  std::int64_t nanoseconds = 0;

  static FileStamp of(const struct stat& status);
  /// Of the file at `path`, behind symbolic links; absent if it cannot be asked for.
  static std::optional<FileStamp> at(const std::string& path);

  bool operator==(const FileStamp&) const = default;
};

/// The file at `path` must be the one that `first` told of, perhaps from another node: inodes are
/// compared, and devices where both mean the same. Throws Error (io), with errno ESTALE. What is
/// not known is not compared.
void require_same_file(const FileIdentity& found, const FileIdentity& first,
                       const std::string& path);

}  // namespace onecast::transport
