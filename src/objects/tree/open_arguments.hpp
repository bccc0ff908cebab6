#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/file_calls.hpp"
#include "onecast/objects/file.hpp"
#include "transport/transport.hpp"

namespace onecast::tree {

/// All that must be the same on all ranks that open a file together: what one of them opened
/// otherwise would hang the others. Throws Error (diverged), the same on all, that names what
/// differs and what it is on two of them. The first message of the call. @collective
void require_same_arguments(CommunicatorBackend& comm, FileCalls& calls, const std::string& path,
                            OpenMode mode, const FileOptions& options,
                            const std::exception_ptr& failure);

}  // namespace onecast::tree
