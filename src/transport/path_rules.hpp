#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// Only regular files are opened: throws Error (io) saying what this is instead.
void require_regular(const std::string& path, mode_t mode);

/// Who may do what with a file.
struct FileRights {
  mode_t mode = 0666;                            ///< of a new file, less the umask
  std::optional<std::pair<uid_t, gid_t>> owner;  ///< of a file that a new one replaces
};

/// What must be right before the system is asked for `path`: it has no NUL inside, and for
/// OpenMode::replace a symbolic link or a regular file that this process may write is unlinked,
/// anything else refused. Returns what a new file is created with.
FileRights prepare_open(const std::string& path, OpenMode mode);

/// The new file has the rights of the one that it replaced, as far as this process may grant them.
void keep_rights(const std::string& path, const FileRights& rights);

/// The file `to` gets the rights of the file `from`, if both are files of the system, as far as
/// this process may grant them.
void copy_rights(const std::string& from, const std::string& to);

/// Forces the names in the folder of `path` to stable storage. Throws Error (io).
void sync_folder_of(const std::string& path);

/// Unlinks `path`, if it is there. Throws Error (io).
void remove_name(const std::string& path);

/// Can a file be made beside `path`? Throws Error (io), saying what for and `remedy`, if that is
/// known not to be so.
void require_writable_folder_of(const std::string& path, std::string_view remedy);

/// The file that `path` names, if it is a symbolic link, however many lead there. Throws Error (io)
/// if they go round in a circle.
std::string behind_links(const std::string& path);

}  // namespace onecast::transport
