#pragma once

#include <optional>

#include "api/array_family.hpp"
#include "onecast/comm/any_mpi.hpp"
#include "pcgnslib.h"
#include "transfer/transfer.hpp"

/// The settings of cgp_mpi_comm and similar functions, and the code that all calls that transfer
/// data share.
namespace onecast::cgns {

struct ParallelSettings {
  std::optional<MpiHandle> communicator;  ///< none: MPI_COMM_WORLD
  std::optional<MpiHandle> info;          ///< none: MPI_INFO_NULL
  PIOmode_t mode = CGP_COLLECTIVE;
};
ParallelSettings& parallel_settings();
/// Sets the communicator for files that are opened from now on. Throws Failure.
void set_communicator(const MpiHandle& communicator);

/// cgp_mpi_comm and cgp_mpi_info with the integers of Fortran.
int cgp_mpi_comm_of_fortran(int communicator);
int cgp_mpi_info_of_fortran(int info);

/// The arrays of one call that transfers data; see write_data.
using Parts = std::vector<PartOfArray>;

/// Write or read in the current mode. COLLECTIVE: one collective call; if `prepare` throws on one
/// rank, all ranks throw. INDEPENDENT: this rank alone; a rank without data does nothing. @param
/// prepare returns the parts; null memory: this rank has no part
template <class Prepare>
int write_data(const char* function, int fn, Prepare&& prepare);
template <class Prepare>
int read_data(const char* function, int fn, Prepare&& prepare);

/// Returns the part that a rank names by first and last indices, counted from the first element,
/// rind planes included. Elements have the stored type. Null memory: no part.
PartOfArray plain_part(Node& array, Range range, const void* memory);
/// Returns a part with conversion, a box of memory, and indices that are counted from the core.
PartOfArray general_part(Node& array, const Rind& rind, Range range, const GeneralMemory& memory,
                         const void* elements);

namespace detail {
void transfer_data(int fn, const Parts& parts, const std::exception_ptr& failure, bool is_write);

template <class Prepare>
int move_data(const char* function, int fn, bool is_write, Prepare&& prepare) {
  return guarded(function, [&] {
    opened(fn);
    Parts parts;
    std::exception_ptr failure;
    try {
      parts = prepare();
    } catch (...) {
      failure = std::current_exception();
    }
    transfer_data(fn, parts, failure, is_write);
  });
}
}  // namespace detail

template <class Prepare>
int write_data(const char* function, int fn, Prepare&& prepare) {
  return detail::move_data(function, fn, true, std::forward<Prepare>(prepare));
}
template <class Prepare>
int read_data(const char* function, int fn, Prepare&& prepare) {
  return detail::move_data(function, fn, false, std::forward<Prepare>(prepare));
}

}  // namespace onecast::cgns
