/* What Fortran cannot do by itself: look into an argument of any type. */
#include <ISO_Fortran_binding.h>
#include <stddef.h>

size_t onecast_size_of(const CFI_cdesc_t* variable);

/* 0 for an array that is not allocated, or of which nobody knows the last extent. */
size_t onecast_size_of(const CFI_cdesc_t* variable) {
  if (variable == NULL || variable->base_addr == NULL) return 0;
  size_t size = variable->elem_len;
  for (int i = 0; i < variable->rank; ++i) {
    if (variable->dim[i].extent < 0) return 0;
    size *= (size_t)variable->dim[i].extent;
  }
  return size;
}
