// onecast._core: the C++ API for Python, as it is. The manner of h5py is made in python/onecast.

#include "bindings.hpp"

NB_MODULE(_core, m) {
  // What a cycle or a thread still holds when the program ends is nobody's fault.
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
