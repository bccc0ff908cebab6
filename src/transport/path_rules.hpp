#pragma once

#include <sys/stat.h>

#include <string>

#include "transport/transport.hpp"

namespace onecast {

/// Only regular files are opened: throws Error (io) saying what this is instead.
void require_regular(const std::string& path, mode_t mode);

/// What must be right before the system is asked for `path`: it has no NUL inside, and for
/// OpenMode::replace a regular file or symbolic link of that name is unlinked, anything else
/// refused.
void prepare_open(const std::string& path, OpenMode mode);

}  // namespace onecast
