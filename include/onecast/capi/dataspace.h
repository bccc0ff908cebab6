#ifndef ONECAST_CAPI_DATASPACE_H
#define ONECAST_CAPI_DATASPACE_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// The largest number of dimensions of an array.
#define ONECAST_MAX_RANK 32
/// An extent in a maximum shape that means no limit.
#define ONECAST_UNLIMITED UINT64_MAX

typedef enum onecast_dataspace_kind ONECAST_AS_INT {
  ONECAST_SCALAR,  ///< one element
  ONECAST_ARRAY,
  ONECAST_NULL_DATASPACE  ///< no elements
} onecast_dataspace_kind;

/// The dataspace of a dataset or an attribute. A struct of zeros is a scalar: one element.
typedef struct onecast_dataspace {
  onecast_dataspace_kind kind;
  size_t rank;  ///< the number of dimensions of an array, 1 to ONECAST_MAX_RANK
  uint64_t shape[ONECAST_MAX_RANK];
  int can_grow;  ///< 0: max_shape is not used
  uint64_t max_shape[ONECAST_MAX_RANK];
} onecast_dataspace;

/// Makes the dataspace of an array. With more than ONECAST_MAX_RANK dimensions, or a NULL pointer,
/// the result is a dataspace that every function refuses. @independent
ONECAST_API onecast_dataspace onecast_dataspace_array(size_t rank, const uint64_t* shape);
/// Makes the dataspace of an array that may grow up to `max_shape`, which may be ONECAST_UNLIMITED
/// in any dimension. @independent
ONECAST_API onecast_dataspace onecast_dataspace_growing(size_t rank, const uint64_t* shape,
                                                        const uint64_t* max_shape);
/// Returns the number of elements: 1 for a scalar, 0 for a null dataspace. @independent
ONECAST_API onecast_status onecast_dataspace_count(const onecast_dataspace* space, uint64_t* count);

ONECAST_END_C

#endif
