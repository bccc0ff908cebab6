#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// Only regular files are opened: throws Error (io) saying what this is instead.
void require_regular(const std::string& path, mode_t mode);

/// What must be right before the system is asked for `path`: it has no NUL inside, and for
/// OpenMode::replace a regular file or symbolic link of that name is unlinked, anything else
/// refused.
void prepare_open(const std::string& path, OpenMode mode);

/// Forces the names in the folder of `path` to stable storage. Throws Error (io).
void sync_folder_of(const std::string& path);

/// Unlinks `path`, if it is there. Throws Error (io).
void remove_name(const std::string& path);

/// Can a file be made beside `path`? Throws Error (io), saying what for and `remedy`, if that is
/// known not to be so.
void require_writable_folder_of(const std::string& path, std::string_view remedy);

/// The file that `path` names, if it is a symbolic link, however many lead there.
std::string behind_links(const std::string& path);

}  // namespace onecast::transport
