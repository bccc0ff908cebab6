#ifndef ONECAST_CAPI_SELECTION_H
#define ONECAST_CAPI_SELECTION_H

#include "onecast/capi/dataspace.h"
#include "onecast/capi/file_options.h"

ONECAST_BEGIN_C

typedef enum onecast_selection_kind ONECAST_AS_INT {
  ONECAST_ALL,
  ONECAST_NONE,
  ONECAST_HYPERSLAB,
  ONECAST_POINTS,
  ONECAST_SET  ///< see set.h
} onecast_selection_kind;

struct onecast_memory;
struct onecast_set;

/// The elements of a dataset that a call reads or writes. The struct points to its numbers, which
/// must stay valid while it is used. Blocks must lie inside the array and must not overlap. A
/// struct of zeros selects all elements.
typedef struct onecast_selection {
  onecast_selection_kind kind;
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
  const struct onecast_set* set;
  /// The way in which ranks share elements that several of them want, in read_all, read_multi and
  /// write_equal. ONECAST_SHARING_AUTOMATIC: the option of the file.
  onecast_sharing sharing;
  /// Points to the handle of a stream, as a number, if the elements are in memory of a device (a
  /// GPU). They are copied when the work is complete that the program has put into this stream
  /// before the call; the copies wait for no other work. NULL: they wait for all work of the
  /// device, as copies of the CUDA runtime do.
  const uintptr_t* stream;
} onecast_selection;

/// The elements that `selection` selects in an array of `shape` in memory. There are as many as in
/// the selection of the dataset. Other elements of the array, such as ghost cells, are not touched.
typedef struct onecast_memory {
  size_t rank;
  const uint64_t* shape;
  const onecast_selection* selection;  ///< NULL: all elements
} onecast_memory;

/// Selects `count` elements from `start` on in each dimension. @independent
ONECAST_API onecast_selection onecast_selection_box(size_t rank, const uint64_t* start,
                                                    const uint64_t* count);
/// Selects `count` blocks of `block` elements in each dimension. The first block begins at `start`;
/// consecutive blocks begin `stride` elements apart. @independent
ONECAST_API onecast_selection onecast_selection_hyperslab(size_t rank, const uint64_t* start,
                                                          const uint64_t* stride,
                                                          const uint64_t* count,
                                                          const uint64_t* block);
/// @independent
ONECAST_API onecast_selection onecast_selection_points(size_t rank, size_t point_count,
                                                       const uint64_t* points);
/// Selects no elements, for a rank that takes part in a collective call without data. @independent
ONECAST_API onecast_selection onecast_selection_none(void);
/// Selects the elements of a set. The selection points to the set, which must stay valid.
/// @independent
ONECAST_API onecast_selection onecast_selection_set(const struct onecast_set* set);

ONECAST_END_C

#endif
