#pragma once

#include <mpi.h>

#include <map>
#include <string>

#include "onecast/comm/communicator.hpp"

namespace onecast {

/// The processes of an intracommunicator. Duplicates `comm`, so that Onecast's messages never meet
/// the caller's. The duplicate goes with the last copy of the result, open files included, which
/// should be before MPI_Finalize and waits for nobody: ranks that still make calls hear of it.
/// Throws Error: state (MPI is not running), invalid_argument (MPI_COMM_NULL, an
/// intercommunicator), io (MPI refused). @collective
Communicator mpi_communicator(MPI_Comm comm);

/// The hints of an info object, for FileOptions::hints; none of MPI_INFO_NULL. Throws Error (io).
/// @independent
std::map<std::string, std::string> hints_of(MPI_Info info);

}  // namespace onecast
