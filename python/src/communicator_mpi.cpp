// Takes communicators of mpi4py by address, so that the build does not need mpi4py.

#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>

#include "bindings.hpp"
#include "onecast/comm/mpi.hpp"

namespace {

/// Returns the name that the loaded MPI library gives itself. May be called before MPI_Init.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// @param address the address of an MPI_Comm, as returned by mpi4py's MPI._addressof
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
