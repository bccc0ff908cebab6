#pragma once

#include "base/namespaces.hpp"
#include "transport/factory.hpp"

namespace onecast::comm {
class CommunicatorBackend;
}

namespace onecast::transport {

/// Like mpi_io_factory(), by the MPI of these ranks if they communicate by MPI.
TransportFactory mpi_io_factory(const CommunicatorBackend& ranks);

}  // namespace onecast::transport
