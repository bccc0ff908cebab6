#pragma once

#include <mpi.h>

#include <memory>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"

namespace onecast::comm {

/// Begins a nonblocking reduction over `comm`. Blocking and nonblocking reductions do not match, so
/// all headers use this function.
std::unique_ptr<HeaderReduction> begin_mpi_header(MPI_Comm comm, const CallHeader& mine);

}  // namespace onecast::comm
