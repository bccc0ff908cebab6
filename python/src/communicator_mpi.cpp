// Communicators of mpi4py, taken by address, so that mpi4py is not needed to build.

#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>

#include "bindings.hpp"
#include "onecast/comm/mpi.hpp"

namespace {

/// What the MPI library that is loaded calls itself. May be called before MPI_Init.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// @param address of an MPI_Comm, as mpi4py's MPI._addressof gives it
onecast::Communicator from_address(std::uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Python has addresses as integers
  return onecast::mpi_communicator(*reinterpret_cast<MPI_Comm*>(address));
}

}  // namespace

void bind_mpi(nb::module_& m) {
  m.def("mpi_library_version", &library_version);
  // Handles are pointers with some implementations and integers with others.
  m.attr("mpi_handle_size") = sizeof(MPI_Comm);
#if defined(OMPI_MAJOR_VERSION)
  m.attr("mpi_built_with") = "Open MPI";
#elif defined(MPICH_VERSION) || defined(MPICH_NUMVERSION)
  m.attr("mpi_built_with") = "MPICH";
#else
  m.attr("mpi_built_with") = "MPI";
#endif
  m.def("mpi_communicator", &from_address, core_call());
}
