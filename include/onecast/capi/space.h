#ifndef ONECAST_CAPI_SPACE_H
#define ONECAST_CAPI_SPACE_H

#include "onecast/capi/file_options.h"
#include "onecast/capi/type.h"

ONECAST_BEGIN_C

/// Dimensions that an array may have.
#define ONECAST_MAX_RANK 32
/// Of a maximal shape: without a limit.
#define ONECAST_UNLIMITED UINT64_MAX

typedef enum onecast_space_kind ONECAST_AS_INT {
  ONECAST_SCALAR,  ///< one element
  ONECAST_ARRAY,
  ONECAST_NULL_SPACE  ///< no elements at all
} onecast_space_kind;

/// What a dataset or an attribute holds. All zeros: one element.
typedef struct onecast_space {
  onecast_space_kind kind;
  size_t rank;  ///< of an array: dimensions, 1 to ONECAST_MAX_RANK
  uint64_t shape[ONECAST_MAX_RANK];
  int can_grow;  ///< if not 0, max_shape counts
  uint64_t max_shape[ONECAST_MAX_RANK];
} onecast_space;

/// An array; of more than ONECAST_MAX_RANK dimensions, or with a NULL, one that every function
/// refuses. @independent
ONECAST_API onecast_space onecast_array(size_t rank, const uint64_t* shape);
/// An array that may grow up to `max_shape`, ONECAST_UNLIMITED in any dimension. @independent
ONECAST_API onecast_space onecast_growing_array(size_t rank, const uint64_t* shape,
                                                const uint64_t* max_shape);
/// The number of elements: 1 of a single one, 0 of none. @independent
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

/// Which elements of a dataset are read or written. It only points to its numbers, which must live
/// as long as it is used. Blocks must lie inside the array and must not overlap. All zeros: all.
typedef struct onecast_part {
  onecast_part_kind kind;
  size_t rank;  ///< how many numbers each of these has for the array
  const uint64_t* start;
  const uint64_t* stride;  ///< NULL: 1 everywhere
  const uint64_t* count;
  const uint64_t* block;  ///< NULL: 1 everywhere
  size_t point_count;
  const uint64_t* points;  ///< `rank` coordinates of each point
  /// Where the elements lie in memory. NULL: one after the other, in C order, points in theirs.
  const struct onecast_memory* memory;
  const struct onecast_selection* set;
  /// How ranks share what they have in common, for read_all, read_multi and write_equal;
  /// ONECAST_SHARING_AUTOMATIC: as the file says.
  onecast_sharing sharing;
} onecast_part;

/// Elements in memory: those of `part` in an array of `shape`, as many as the part of the dataset
/// has. Others are not touched: ghost cells, for one.
typedef struct onecast_memory {
  size_t rank;
  const uint64_t* shape;
  const onecast_part* part;  ///< NULL: all of it
} onecast_memory;

/// In each dimension `count` elements from `start` on. @independent, as the other three
ONECAST_API onecast_part onecast_box(size_t rank, const uint64_t* start, const uint64_t* count);
/// In each dimension `count` blocks of `block` elements, the first at `start`, the starts of blocks
/// `stride` elements apart.
ONECAST_API onecast_part onecast_hyperslab(size_t rank, const uint64_t* start,
                                           const uint64_t* stride, const uint64_t* count,
                                           const uint64_t* block);
ONECAST_API onecast_part onecast_points(size_t rank, size_t point_count, const uint64_t* points);
/// No elements: of a rank that takes part in a collective call and has nothing.
ONECAST_API onecast_part onecast_nothing(void);

ONECAST_END_C

#endif
