/* What Fortran cannot do by itself: look whether an argument of any type is an address, call a
 * function with a variable number of arguments, and name a communicator by its number. */
#include <ISO_Fortran_binding.h>
#include <stdio.h>
#include <stdlib.h>

#if ONECAST_HAVE_MPI
#include "pcgnslib.h"
#else
#include "cgnslib.h"
#endif

void* onecast_cgns_address(const CFI_cdesc_t* memory, const CFI_cdesc_t* null_pointer);
int onecast_cgns_gorel(int file, char** labels, const int* numbers);
int onecast_cgns_exit_on_error(int flag);

/* NULL of an empty array: a rank that has nothing to transfer. Of a variable of type c_ptr,
 * gfortran gives what it points to, other compilers where it stands: what they give of a null
 * pointer tells which. */
void* onecast_cgns_address(const CFI_cdesc_t* memory, const CFI_cdesc_t* null_pointer) {
  for (int i = 0; i < memory->rank; ++i)
    if (memory->dim[i].extent == 0) return NULL;
  const int is_pointer = memory->type == CFI_type_cptr && memory->rank == 0;
  const int is_place = null_pointer->base_addr != NULL;
  return is_pointer && is_place ? *(void**)memory->base_addr : memory->base_addr;
}

/* CG_MAX_GOTO_DEPTH labels and numbers, with "end" behind the last step. */
int onecast_cgns_gorel(int file, char** labels, const int* numbers) {
#define STEP(i) labels[i], numbers[i]
#define FIVE_STEPS(i) STEP(i), STEP((i) + 1), STEP((i) + 2), STEP((i) + 3), STEP((i) + 4)
  return cg_gorel(file, FIVE_STEPS(0), FIVE_STEPS(5), FIVE_STEPS(10), FIVE_STEPS(15), "end");
}

static void exit_on_error(int is_error, char* message) {
  if (!is_error) return;
  fprintf(stderr, "CGNS error: %s\n", message);
  exit(EXIT_FAILURE);
}

int onecast_cgns_exit_on_error(int flag) { return cg_error_handler(flag ? exit_on_error : NULL); }

#if ONECAST_HAVE_MPI
int onecast_cgns_mpi_comm(MPI_Fint communicator);
int onecast_cgns_mpi_info(MPI_Fint info);

int onecast_cgns_mpi_comm(MPI_Fint communicator) {
  return cgp_mpi_comm(MPI_Comm_f2c(communicator));
}

int onecast_cgns_mpi_info(MPI_Fint info) { return cgp_mpi_info(MPI_Info_f2c(info)); }
#endif
