#pragma once

#include <memory>
#include <string>
#include <utility>

#include "objects/files/file_state.hpp"
#include "objects/flush/engine.hpp"

namespace onecast::test {

using namespace flush;

/// Returns an open file without a handle.
inline std::shared_ptr<FileState> create_state(const std::string& path, const Communicator& comm,
                                               const FileOptions& options,
                                               TransportFactory factory = {}) {
  return FileState::create(path, comm, options, engine(), std::move(factory));
}
inline std::shared_ptr<FileState> open_state(const std::string& path, Access access,
                                             const Communicator& comm, const FileOptions& options,
                                             TransportFactory factory = {}) {
  return FileState::open(path, access, comm, options, engine(), std::move(factory));
}

}  // namespace onecast::test
