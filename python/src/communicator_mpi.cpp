// Takes communicators of mpi4py by address, so that the build needs neither mpi4py nor MPI.

#include <dlfcn.h>
#include <nanobind/stl/string.h>

#include <cstdint>

#include "bindings.hpp"
#include "onecast/comm/any_mpi.hpp"

namespace {

/// Returns an address in the compiled module `file` of mpi4py, which uses the MPI of the program.
const void* in_module(const std::string& file) {
  void* module = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  const void* found = module != nullptr ? dlsym(module, "PyInit_MPI") : nullptr;
  if (module != nullptr) dlclose(module);
  return found;
}

/// @param address the address of an MPI_Comm, as returned by mpi4py's MPI._addressof
/// @param size the size of an MPI_Comm
/// @param module the file of mpi4py.MPI
onecast::Communicator from_address(std::uintptr_t address, std::size_t size,
                                   const std::string& module) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Python has addresses as integers
  return onecast::mpi_communicator(
      {reinterpret_cast<const void*>(address), size, in_module(module)});
}

}  // namespace

void bind_mpi(nb::module_& m) {
  m.def("mpi_library",
        [](const std::string& module) { return onecast::mpi_library(in_module(module)); });
  m.def("mpi_communicator", &from_address, core_call());
}
