#include <cstdio>
#include <cstdlib>

#include "onecast/comm/mpi.hpp"
#include "parallel/parallel_session.hpp"
#include "session/open_cgns.hpp"

using namespace onecast::cgns;

extern "C" {

int cgp_mpi_comm(MPI_Comm mpicomm) {
  return guarded(__func__, [&] { set_communicator(mpicomm); });
}

int cgp_mpi_info(MPI_Info info) {
  parallel_settings().info = info;
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
  return guarded(__func__, [&] {
    int is_running = 0;
    MPI_Initialized(&is_running);
    if (is_running == 0) MPI_Init(nullptr, nullptr);
    const auto communicator = onecast::mpi_communicator(parallel_settings().communicator);
    onecast::FileOptions options;
    options.hints = onecast::hints_of(parallel_settings().info);
    *fn = open_cgns(filename, mode, &communicator, options).number;
  });
}

int cgp_close(int fn) {
  return guarded(__func__, [&] { session().close(opened(fn)); });
}

void cgp_error_exit() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "process %d: %s\n", rank, cg_get_error());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::exit(1);
}

}  // extern "C"
