/* Debian's PnetCDF was linked with the C++ interface of Open MPI 4. It refers to two names that
 * Open MPI 5 does not have, and that nothing here uses. */
#include <stdlib.h>

char ompi_mpi_errors_throw_exceptions[512];

void ompi_op_set_cxx_callback(void) { abort(); }
