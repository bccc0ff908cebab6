// onecast._core: the C++ API in Python. python/onecast gives it the interface of h5py.

#include "bindings.hpp"

NB_MODULE(_core, m) {
  // Objects that a cycle or a thread still holds at the end of the program are no leaks.
  nb::set_leak_warnings(false);
  m.attr("__version__") = ONECAST_VERSION;
  bind_errors(m);
  bind_forgotten(m);
  bind_types(m);
  bind_selection(m);
  bind_plain_types(m);
  bind_new_values(m);
  bind_objects(m);
  bind_copy(m);
  bind_pending(m);
  bind_device_array(m);
  bind_dlpack(m);
  bind_dataset(m);
  bind_members(m);
  bind_dimension_scales(m);
  bind_values(m);
  bind_file(m);
  bind_fork(m);
  bind_filters(m);
  bind_inspect(m);
#ifdef ONECAST_HAVE_MPI
  m.attr("have_mpi") = true;
  bind_mpi(m);
#else
  m.attr("have_mpi") = false;
#endif
}
