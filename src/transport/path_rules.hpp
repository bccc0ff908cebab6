#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// Only regular files are opened: throws Error (io) saying what this is instead.
void require_regular(const std::string& path, mode_t mode);

/// Who may do what with a file.
struct FileRights {
  mode_t mode;
  std::optional<std::pair<uid_t, gid_t>> owner;

  static constexpr mode_t kOfNew = 0666;  ///< less the umask
};

/// A path without NUL inside. Throws Error (io).
void require_path(const std::string& path);

/// The rights of the file at `path`, which a new one is to replace: a regular file that this
/// process may write, or a symbolic link, which has none. Absent if nothing is there. Throws Error
/// (io).
std::optional<FileRights> rights_of_replaced(const std::string& path);

/// The new file has the rights of the one that it replaces, as far as this process may grant them.
void keep_rights(const std::string& path, const FileRights& rights);

/// The file `to` gets the rights of the file `from`, if both are files of the system, as far as
/// this process may grant them.
void copy_rights(const std::string& from, const std::string& to);

/// Forces the names in the folder of `path` to stable storage. Throws Error (io).
void sync_folder_of(const std::string& path);

/// Unlinks `path`, if it is there. Throws Error (io).
void remove_name(const std::string& path);

/// What is known to keep this process from making a file of `size` bytes at `path`: its errno, for
/// too long a name, a folder without the right to write, or a file system that says it is full; 0
/// if nothing is known.
int obstacle_to_file(const std::string& path, std::uint64_t size);

/// The file that `path` names, if it is a symbolic link, however many lead there. Throws Error (io)
/// if they go round in a circle.
std::string behind_links(const std::string& path);

}  // namespace onecast::transport
