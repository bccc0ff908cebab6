#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/file_calls.hpp"
#include "onecast/objects/file.hpp"
#include "transport/transport.hpp"

namespace onecast::files {

/// Compares everything that must be equal on all ranks that open a file together; a difference
/// could make ranks hang. Throws Error (diverged) on all ranks, which names what differs, with the
/// values of two ranks. It sends the first message of the call. @collective
void require_same_arguments(CommunicatorBackend& comm, FileCalls& calls, const std::string& path,
                            OpenMode mode, const FileOptions& options,
                            const std::exception_ptr& failure);

}  // namespace onecast::files
