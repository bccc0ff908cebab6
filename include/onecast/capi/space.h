#ifndef ONECAST_CAPI_SPACE_H
#define ONECAST_CAPI_SPACE_H

#include "onecast/capi/file_options.h"
#include "onecast/capi/type.h"

ONECAST_BEGIN_C

/// The largest number of dimensions of an array.
#define ONECAST_MAX_RANK 32
/// An extent in a maximum shape that means no limit.
#define ONECAST_UNLIMITED UINT64_MAX

typedef enum onecast_space_kind ONECAST_AS_INT {
  ONECAST_SCALAR,  ///< one element
  ONECAST_ARRAY,
  ONECAST_NULL_SPACE  ///< no elements
} onecast_space_kind;

/// The dataspace of a dataset or an attribute. A struct of zeros is a scalar: one element.
typedef struct onecast_space {
  onecast_space_kind kind;
  size_t rank;  ///< the number of dimensions of an array, 1 to ONECAST_MAX_RANK
  uint64_t shape[ONECAST_MAX_RANK];
  int can_grow;  ///< 0: max_shape is not used
  uint64_t max_shape[ONECAST_MAX_RANK];
} onecast_space;

/// Makes an array. With more than ONECAST_MAX_RANK dimensions, or a NULL pointer, the result is a
/// space that every function refuses. @independent
ONECAST_API onecast_space onecast_array(size_t rank, const uint64_t* shape);
/// Makes an array that may grow up to `max_shape`, which may be ONECAST_UNLIMITED in any dimension.
/// @independent
ONECAST_API onecast_space onecast_growing_array(size_t rank, const uint64_t* shape,
                                                const uint64_t* max_shape);
/// Returns the number of elements: 1 for a scalar, 0 for a null space. @independent
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
/// must stay valid while it is used. Blocks must lie inside the array and must not overlap. A
/// struct of zeros selects all elements.
typedef struct onecast_part {
  onecast_part_kind kind;
  size_t rank;  ///< the number of dimensions of the array, and of numbers in each list below
  const uint64_t* start;
  const uint64_t* stride;  ///< NULL: 1 everywhere
  const uint64_t* count;
  const uint64_t* block;  ///< NULL: 1 everywhere
  size_t point_count;
  const uint64_t* points;  ///< `rank` coordinates of each point
  /// The layout of the elements in memory. NULL: one after the other, in C order; points in their
  /// own order.
  const struct onecast_memory* memory;
  const struct onecast_selection* set;
  /// The way in which ranks share elements that several of them want, in read_all, read_multi and
  /// write_equal. ONECAST_SHARING_AUTOMATIC: the option of the file.
  onecast_sharing sharing;
} onecast_part;

/// The elements that `part` selects in an array of `shape` in memory. There are as many as in the
/// part of the dataset. Other elements of the array, such as ghost cells, are not touched.
typedef struct onecast_memory {
  size_t rank;
  const uint64_t* shape;
  const onecast_part* part;  ///< NULL: all elements
} onecast_memory;

/// Selects `count` elements from `start` on in each dimension. @independent, like the next three
/// functions
ONECAST_API onecast_part onecast_box(size_t rank, const uint64_t* start, const uint64_t* count);
/// Selects `count` blocks of `block` elements in each dimension. The first block begins at `start`;
/// consecutive blocks begin `stride` elements apart.
ONECAST_API onecast_part onecast_hyperslab(size_t rank, const uint64_t* start,
                                           const uint64_t* stride, const uint64_t* count,
                                           const uint64_t* block);
ONECAST_API onecast_part onecast_points(size_t rank, size_t point_count, const uint64_t* points);
/// Selects no elements, for a rank that takes part in a collective call without data.
ONECAST_API onecast_part onecast_nothing(void);

ONECAST_END_C

#endif
