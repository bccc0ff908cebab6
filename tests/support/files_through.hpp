#pragma once

#include <string>

#include "onecast/comm/communicator.hpp"
#include "onecast/objects/file.hpp"
#include "transport/factory.hpp"

namespace onecast::test {

using transport::TransportFactory;

/// Creates a file through a test's own transports.
File create_through(TransportFactory factory, const std::string& path, const Communicator& comm,
                    const FileOptions& options);
File open_through(TransportFactory factory, const std::string& path, Access access,
                  const Communicator& comm, const FileOptions& options);

}  // namespace onecast::test
