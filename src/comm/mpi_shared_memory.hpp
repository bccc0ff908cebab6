#pragma once

#include <mpi.h>

#include <memory>

#include "comm/shared_memory.hpp"

namespace onecast {

/// Memory of the ranks of `node`, which share a machine; it goes before the communicator does.
std::unique_ptr<SharedMemory> mpi_shared_memory(MPI_Comm node, std::size_t size);

}  // namespace onecast
