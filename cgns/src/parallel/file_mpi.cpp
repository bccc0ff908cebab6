#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "onecast/base/error.hpp"
#include "onecast/comm/any_mpi.hpp"
#include "parallel/parallel_session.hpp"
#include "session/open_cgns.hpp"

using namespace onecast::cgns;

// The place from which a function of the interface was called: it uses the MPI of its caller.
#define ONECAST_CGNS_CALLER __builtin_return_address(0)

namespace onecast::cgns {

int cgp_mpi_comm_of_fortran(int communicator) {
  return guarded("cgp_mpi_comm", [&] { set_communicator(MpiHandle::of_fortran(communicator)); });
}

int cgp_mpi_info_of_fortran(int info) {
  parallel_settings().info = MpiHandle::of_fortran(info);
  return CG_OK;
}

}  // namespace onecast::cgns

extern "C" {

// pcgnslib.h declares these functions to programs with handles of their mpi.h, pointers or
// integers, which arrive as words.
int cgp_mpi_comm(std::uintptr_t mpicomm);
int cgp_mpi_info(std::uintptr_t info);

int cgp_mpi_comm(std::uintptr_t mpicomm) {
  const void* const caller = ONECAST_CGNS_CALLER;
  return guarded(__func__, [&] { set_communicator(onecast::MpiHandle::of_word(mpicomm, caller)); });
}

int cgp_mpi_info(std::uintptr_t info) {
  parallel_settings().info = onecast::MpiHandle::of_word(info, ONECAST_CGNS_CALLER);
  return CG_OK;
}

int cgp_pio_mode(PIOmode_t mode) {
  return guarded(__func__, [&] {
    if (mode != CGP_COLLECTIVE && mode != CGP_INDEPENDENT)
      throw Failure(std::to_string(mode) + " is neither CGP_COLLECTIVE nor CGP_INDEPENDENT");
    parallel_settings().mode = mode;
  });
}

int cgp_open(const char* filename, int mode, int* fn) {
  const void* const caller = ONECAST_CGNS_CALLER;
  return guarded(__func__, [&] {
    const ParallelSettings& settings = parallel_settings();
    const auto& given = settings.communicator;
    onecast::mpi_initialize(given ? given->library() : caller);
    const auto communicator =
        given ? onecast::mpi_communicator(*given) : onecast::mpi_communicator_of_world(caller);
    onecast::FileOptions options;
    if (settings.info) options.hints = onecast::hints_of(*settings.info);
    *fn = open_cgns(filename, mode, &communicator, options).number;
  });
}

int cgp_close(int fn) {
  return guarded(__func__, [&] { session().close(opened(fn)); });
}

void cgp_error_exit() {
  const void* const caller = ONECAST_CGNS_CALLER;
  int rank = 0;
  try {
    rank = onecast::mpi_rank_in_world(caller);
  } catch (const onecast::Error&) {  // NOLINT(bugprone-empty-catch): MPI does not run
  }
  std::fprintf(stderr, "process %d: %s\n", rank, cg_get_error());
  std::fflush(stderr);
  onecast::mpi_abort(caller);
  std::exit(1);
}

}  // extern "C"
