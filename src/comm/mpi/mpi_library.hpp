#pragma once

#include "base/namespaces.hpp"
#include "comm/mpi/mpi_names.hpp"
#include "onecast/comm/any_mpi.hpp"

namespace onecast::comm {

class CommunicatorBackend;

/// Returns the MPI that the library or program with this address uses; if it uses none, or for
/// null, that of the program; if this uses none, the only MPI that is loaded. Throws Error
/// (unsupported): there is no MPI, there are several, or it is not known.
const Mpi& mpi_of(const void* address);
/// Throws Error (state) if MPI is not initialized, or is finalized. @param call named in errors
void require_running(const Mpi& mpi, const char* call);
/// Does both.
const Mpi& running_mpi_of(const void* address, const char* call);

/// Returns the MPI by which these ranks communicate; null: they do not.
const Mpi* mpi_of_ranks(const CommunicatorBackend& ranks);

/// Returns a handle of `mpi`. Throws Error: invalid_argument (it has another size), state (it is
/// one of Fortran, and MPI is not running). @param call named in errors
MpiComm comm_of(const Mpi& mpi, const MpiHandle& handle, const char* call);
MpiInfo info_of(const Mpi& mpi, const MpiHandle& handle, const char* call);

}  // namespace onecast::comm
