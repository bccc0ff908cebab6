#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/namespaces.hpp"

namespace onecast::transport {

/// Identifies a file of the operating system, whatever its path. Trivially copyable, for
/// broadcasts.
struct FileIdentity {
  std::uint64_t node = 0;  ///< the node where `device` is valid, see of()
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  ///< 0: not a file of the operating system

  static FileIdentity of(const struct stat& status);
  /// The identity of the file at `path`, after symbolic links; absent if it cannot be queried.
  static std::optional<FileIdentity> at(const std::string& path);

  [[nodiscard]] bool is_known() const { return inode != 0; }
  bool operator==(const FileIdentity&) const = default;
};

/// A different stamp means that the file was written.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t seconds = 0;  ///< the time of the last write; 0: not known
  std::int64_t nanoseconds = 0;

  static FileStamp of(const struct stat& status);
  /// The stamp of the file at `path`, after symbolic links; absent if it cannot be queried.
  static std::optional<FileStamp> at(const std::string& path);

  bool operator==(const FileStamp&) const = default;
};

/// Throws Error (io), with errno ESTALE, if the file at `path` is not the one that `first`
/// identifies, perhaps from another node. Compares inodes, and devices where both are valid.
/// Unknown values are not compared.
void require_same_file(const FileIdentity& found, const FileIdentity& first,
                       const std::string& path);

}  // namespace onecast::transport
