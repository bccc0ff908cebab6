#ifndef ONECAST_CAPI_SPACE_H
#define ONECAST_CAPI_SPACE_H

#include "onecast/capi/file_options.h"
#include "onecast/capi/type.h"

ONECAST_BEGIN_C

/// The largest number of dimensions of an array.
#define ONECAST_MAX_RANK 32
/// In a maximum shape: no limit in this dimension.
#define ONECAST_UNLIMITED UINT64_MAX

typedef enum onecast_space_kind ONECAST_AS_INT {
  ONECAST_SCALAR,  ///< one element
  ONECAST_ARRAY,
  ONECAST_NULL_SPACE  ///< no elements
} onecast_space_kind;

/// The dataspace of a dataset or an attribute. All zeros: one element.
typedef struct onecast_space {
  onecast_space_kind kind;
  size_t rank;  ///< of an array: dimensions, 1 to ONECAST_MAX_RANK
  uint64_t shape[ONECAST_MAX_RANK];
  int can_grow;  ///< 0: max_shape is not used
  uint64_t max_shape[ONECAST_MAX_RANK];
} onecast_space;

/// An array. With more than ONECAST_MAX_RANK dimensions, or a NULL pointer, the result is a space
/// that every function refuses. @independent
ONECAST_API onecast_space onecast_array(size_t rank, const uint64_t* shape);
/// An array that may grow up to `max_shape`, ONECAST_UNLIMITED in any dimension. @independent
ONECAST_API onecast_space onecast_growing_array(size_t rank, const uint64_t* shape,
                                                const uint64_t* max_shape);
/// The number of elements: 1 for a scalar, 0 for a null space. @independent
ONECAST_API onecast_status onecast_space_count(const onecast_space* space, uint64_t* count);

typedef enum onecast_part_kind ONECAST_AS_INT {
  ONECAST_ALL,
  ONECAST_NONE,
  ONECAST_HYPERSLAB,
  ONECAST_POINTS,
  ONECAST_SET  ///< see selection.h
} onecast_part_kind;

struct onecast_memory;
struct onecast_selection;

/// The elements of a dataset that a call reads or writes. The struct points to its numbers, which
/// must stay valid while it is used. Blocks must lie inside the array and must not overlap. All
/// zeros: all elements.
typedef struct onecast_part {
  onecast_part_kind kind;
  size_t rank;  ///< dimensions of the array; each list below has that many numbers
  const uint64_t* start;
  const uint64_t* stride;  ///< NULL: 1 everywhere
  const uint64_t* count;
  const uint64_t* block;  ///< NULL: 1 everywhere
  size_t point_count;
  const uint64_t* points;  ///< `rank` coordinates of each point
  /// Where the elements lie in memory. NULL: one after the other, in C order; points in their own
  /// order.
  const struct onecast_memory* memory;
  const struct onecast_selection* set;
  /// How ranks share elements that several of them want, in read_all, read_multi and write_equal.
  /// ONECAST_SHARING_AUTOMATIC: the option of the file.
  onecast_sharing sharing;
} onecast_part;

/// Elements in memory: those that `part` selects in an array of `shape`. Their number is that of
/// the part of the dataset. Other elements of the array, such as ghost cells, are not touched.
typedef struct onecast_memory {
  size_t rank;
  const uint64_t* shape;
  const onecast_part* part;  ///< NULL: all elements
} onecast_memory;

/// In each dimension `count` elements from `start` on. @independent, like the next three functions
ONECAST_API onecast_part onecast_box(size_t rank, const uint64_t* start, const uint64_t* count);
/// In each dimension `count` blocks of `block` elements. The first block begins at `start`;
/// consecutive blocks begin `stride` elements apart.
ONECAST_API onecast_part onecast_hyperslab(size_t rank, const uint64_t* start,
                                           const uint64_t* stride, const uint64_t* count,
                                           const uint64_t* block);
ONECAST_API onecast_part onecast_points(size_t rank, size_t point_count, const uint64_t* points);
/// No elements: for a rank that takes part in a collective call without data.
ONECAST_API onecast_part onecast_nothing(void);

ONECAST_END_C

#endif
