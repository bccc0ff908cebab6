#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// Throws Error (io) unless this is a regular file; the error says what it is.
void require_regular(const std::string& path, mode_t mode);

/// The permissions and the owner of a file.
struct FileRights {
  mode_t mode;
  std::optional<std::pair<uid_t, gid_t>> owner;

  static constexpr mode_t kOfNew = 0666;  ///< minus the umask
};

/// Throws Error (io) if the path contains NUL.
void require_path(const std::string& path);

/// The rights of the file at `path`, which will be replaced: a regular file that this process may
/// write, or a symbolic link, which has none. Absent if there is no file. Throws Error (io).
std::optional<FileRights> rights_of_replaced(const std::string& path);

/// Gives a new file the rights of the file that it replaces, as far as this process may set them.
void keep_rights(const std::string& path, const FileRights& rights);

/// Gives the file `to` the rights of the file `from`, if both are files of the operating system, as
/// far as this process may set them.
void copy_rights(const std::string& from, const std::string& to);

/// Forces the entries of the directory of `path` to stable storage. Throws Error (io).
void sync_folder_of(const std::string& path);

/// Unlinks `path` if it exists. Throws Error (io).
void remove_name(const std::string& path);

/// The errno of a known reason why this process cannot create a file of `size` bytes at `path`: a
/// name that is too long, a directory without write permission, or a full file system; 0 if none is
/// known.
int obstacle_to_file(const std::string& path, std::uint64_t size);

/// The file that `path` leads to, through any number of symbolic links. Throws Error (io) if they
/// form a cycle.
std::string behind_links(const std::string& path);

}  // namespace onecast::transport
