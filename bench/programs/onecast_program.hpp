// The common part of the programs over Onecast: start, errors, end; methods by name.
#pragma once

#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../metadata/bench_program.h"

namespace onecast_bench {

/// `run(bench)` does the work. It may return std::optional<Contents>: the data read, if any.
template <class Run>
int run_program(int argc, char** argv, Run&& run) {
  MPI_Init(&argc, &argv);
  Bench bench;
  bench_begin(&bench, argc, argv);
  std::optional<Contents> contents;
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Run, Bench&>>)
      run(bench);
    else
      contents = run(bench);
  } catch (const std::exception& error) {
    bench_fail("onecast", error.what());
  }
  bench_report(&bench, "onecast", "Onecast " ONECAST_VERSION, contents ? &*contents : nullptr);
  MPI_Finalize();
  return 0;
}

inline onecast::Communicator world() { return onecast::mpi_communicator(MPI_COMM_WORLD); }

/// Returns the method that a setting forces; automatic if it names none.
inline onecast::TransferMethod method_of(std::string_view setting) {
  using onecast::TransferMethod;
  if (setting == "method_plain") return TransferMethod::plain;
  if (setting == "method_independent") return TransferMethod::independent;
  if (setting == "method_collective") return TransferMethod::collective;
  if (setting == "method_broadcast") return TransferMethod::broadcast;
  return TransferMethod::automatic;
}

}  // namespace onecast_bench
