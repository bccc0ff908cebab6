/* Reads the descriptor of an argument of any type, which Fortran itself cannot do. */
#include <ISO_Fortran_binding.h>
#include <stddef.h>

size_t onecast_size_of(const CFI_cdesc_t* variable);

/* Returns 0 for an array that is not allocated, or whose last extent is not known. */
size_t onecast_size_of(const CFI_cdesc_t* variable) {
  if (variable == NULL || variable->base_addr == NULL) return 0;
  size_t size = variable->elem_len;
  for (int i = 0; i < variable->rank; ++i) {
    if (variable->dim[i].extent < 0) return 0;
    size *= (size_t)variable->dim[i].extent;
  }
  return size;
}
