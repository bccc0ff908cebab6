#pragma once

#include <mpi.h>

#include <map>
#include <string>

#include "onecast/comm/communicator.hpp"

namespace onecast {

/// Makes a Communicator of the processes of an intracommunicator. Duplicates `comm`, so that
/// Onecast's messages never meet the caller's. The duplicate is released with the last copy of the
/// result, including those in open files; this must happen before MPI_Finalize. Releasing it waits
/// for no other rank: ranks that still make collective calls get an error. Throws Error: state (MPI
/// is not running), invalid_argument (MPI_COMM_NULL, an intercommunicator), io (MPI returned an
/// error). @collective
Communicator mpi_communicator(MPI_Comm comm);

/// Returns the hints of an info object, for FileOptions::hints; none for MPI_INFO_NULL. Throws
/// Error (io).
/// @independent
std::map<std::string, std::string> hints_of(MPI_Info info);

}  // namespace onecast
