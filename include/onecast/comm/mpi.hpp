#pragma once

#include <mpi.h>

#include <map>
#include <string>

#include "onecast/comm/any_mpi.hpp"

namespace onecast {

/// Names a handle of the MPI that this code is compiled and linked with. @independent
template <class Handle>
MpiHandle mpi_handle(const Handle& handle) {
  // The bytes of the handle are passed: those of a number, or of a pointer.
  // NOLINTNEXTLINE(bugprone-sizeof-expression, bugprone-multi-level-implicit-pointer-conversion)
  return MpiHandle(&handle, sizeof handle, reinterpret_cast<const void*>(&MPI_Comm_rank));
}

/// Makes a Communicator of the processes of an intracommunicator. Duplicates `comm`, so that
/// Onecast's messages never meet the caller's. The duplicate is released with the last copy of the
/// result, including those in open files; this must happen before MPI_Finalize. Releasing it waits
/// for no other rank: ranks that still make collective calls get an error. Throws Error: state (MPI
/// is not running; a session of MPI is not enough), invalid_argument (MPI_COMM_NULL, an
/// intercommunicator), unsupported (an MPI that Onecast does not know), io (MPI returned an error).
/// @collective
inline Communicator mpi_communicator(MPI_Comm comm) { return mpi_communicator(mpi_handle(comm)); }

/// Returns the hints of an info object, for FileOptions::hints; none for MPI_INFO_NULL. Throws
/// Error: unsupported, state (MPI is not running), io. @independent
inline std::map<std::string, std::string> hints_of(MPI_Info info) {
  return hints_of(mpi_handle(info));
}

}  // namespace onecast
