/* Functions that Fortran itself cannot provide: they read the descriptor of an argument of any
 * type, and convert the integer of a communicator. */
#include <ISO_Fortran_binding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgnslib.h"

void* onecast_cgns_address(const CFI_cdesc_t* memory, const CFI_cdesc_t* null_pointer);
void onecast_cgns_release(const CFI_cdesc_t* memory, void* address, int is_changed);
int onecast_cgns_configure(int what, void* value);

/* True for arrays without elements, also for those that are not allocated. */
static int is_empty(const CFI_cdesc_t* memory) {
  if (memory->base_addr == NULL) return 1;
  for (int i = 0; i < memory->rank; ++i)
    if (memory->dim[i].extent == 0) return 1;
  return 0;
}

/* True for a section of an array with gaps, such as one without its ghost cells. */
static int has_gaps(const CFI_cdesc_t* memory) {
  return memory->rank > 0 && !is_empty(memory) && !CFI_is_contiguous(memory);
}

/* Copies a row of elements to or from memory without gaps; returns the place of the next row. */
static char* move_row(const CFI_cdesc_t* memory, char* element, char* packed, int is_back) {
  const size_t size = memory->elem_len;
  for (CFI_index_t i = 0; i < memory->dim[0].extent; ++i) {
    memcpy(is_back ? element : packed, is_back ? packed : element, size);
    element += memory->dim[0].sm;
    packed += size;
  }
  return packed;
}

static void move_elements(const CFI_cdesc_t* memory, char* packed, int is_back) {
  CFI_index_t at[CFI_MAX_RANK] = {0};
  for (;;) {
    char* row = memory->base_addr;
    for (int i = 1; i < memory->rank; ++i) row += at[i] * memory->dim[i].sm;
    packed = move_row(memory, row, packed, is_back);
    int i = 1;
    while (i < memory->rank && ++at[i] == memory->dim[i].extent) at[i++] = 0;
    if (i >= memory->rank) return;
  }
}

static void* without_gaps(const CFI_cdesc_t* memory) {
  size_t size = memory->elem_len;
  for (int i = 0; i < memory->rank; ++i) size *= (size_t)memory->dim[i].extent;
  char* packed = malloc(size);
  if (packed == NULL) {
    fprintf(stderr, "onecast: no memory for a copy of %zu bytes\n", size);
    abort();
  }
  move_elements(memory, packed, 0);
  return packed;
}

/* Returns the address of the elements; NULL for an empty array: a rank that has nothing to
 * transfer. Elements with gaps between them are copied. For a variable of type c_ptr, gfortran
 * passes the address that it contains, other compilers the address of the variable; the descriptor
 * of a null pointer tells which. */
void* onecast_cgns_address(const CFI_cdesc_t* memory, const CFI_cdesc_t* null_pointer) {
  if (is_empty(memory)) return NULL;
  if (has_gaps(memory)) return without_gaps(memory);
  const int is_pointer = memory->type == CFI_type_cptr && memory->rank == 0;
  const int is_place = null_pointer->base_addr != NULL;
  return is_pointer && is_place ? *(void**)memory->base_addr : memory->base_addr;
}

void onecast_cgns_release(const CFI_cdesc_t* memory, void* address, int is_changed) {
  if (!has_gaps(memory)) return;
  if (is_changed) move_elements(memory, address, 1);
  free(address);
}

#if ONECAST_HAVE_MPI
/* Subroutines of the library below, which serves every MPI. */
void cgp_mpi_comm_f_(const int* communicator, int* ier);
void cgp_mpi_info_f_(const int* info, int* ier);

int onecast_cgns_mpi_comm(int communicator);
int onecast_cgns_mpi_info(int info);

int onecast_cgns_mpi_comm(int communicator) {
  int ier = CG_ERROR;
  cgp_mpi_comm_f_(&communicator, &ier);
  return ier;
}

int onecast_cgns_mpi_info(int info) {
  int ier = CG_ERROR;
  cgp_mpi_info_f_(&info, &ier);
  return ier;
}
#endif

/* With CG_CONFIG_HDF5_MPI_COMM, `value` is the address of the integer of a communicator. */
int onecast_cgns_configure(int what, void* value) {
#if ONECAST_HAVE_MPI
  if (what == CG_CONFIG_HDF5_MPI_COMM && value != NULL)
    return onecast_cgns_mpi_comm(*(const int*)value);
#endif
  return cg_configure(what, value);
}
