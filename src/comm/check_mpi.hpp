#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/base/error.hpp"

namespace onecast::comm {

/// The text of an MPI error code.
inline std::string mpi_error_text(int status) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(status, text.data(), &length) != MPI_SUCCESS)
    return fmt::format("MPI error {}", status);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Throws Error (io) naming the call if it failed.
inline void check_mpi(int status, const char* call) {
  if (status != MPI_SUCCESS)
    throw Error(ErrorCode::io, fmt::format("{}: {}", call, mpi_error_text(status)));
}

/// True if MPI calls can be made now.
inline bool mpi_is_running() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

/// True if several threads can make MPI calls at once.
inline bool mpi_allows_threads() {
  int level = MPI_THREAD_SINGLE;
  return mpi_is_running() && MPI_Query_thread(&level) == MPI_SUCCESS &&
         level == MPI_THREAD_MULTIPLE;
}

}  // namespace onecast::comm
