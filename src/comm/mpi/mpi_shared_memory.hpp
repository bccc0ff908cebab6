#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "comm/mpi/mpi_names.hpp"
#include "comm/node/shared_memory.hpp"

namespace onecast::comm {

/// Memory of the ranks of `node`, which share a machine. It must be released before the
/// communicator.
std::unique_ptr<SharedMemory> mpi_shared_memory(const Mpi& mpi, MpiComm node, std::size_t size);

}  // namespace onecast::comm
