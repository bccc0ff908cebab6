#ifndef ONECAST_CAPI_SELECTION_H
#define ONECAST_CAPI_SELECTION_H

#include "onecast/capi/space.h"

ONECAST_BEGIN_C

/// A set of elements, made of parts by set operations; it takes them in C order. Any function that
/// takes a part takes it as onecast_set(selection). All functions here are @independent, and
/// ONECAST_INVALID_ARGUMENT for parts with memory.
///
///     onecast_selection* ring = NULL;
///     onecast_selection_combine(ONECAST_DIFFERENCE, &outer, &inner, &ring);
///     const onecast_part part = onecast_set(ring);
typedef struct onecast_selection onecast_selection;

typedef enum onecast_set_operation ONECAST_AS_INT {
  ONECAST_UNION,
  ONECAST_INTERSECTION,
  ONECAST_DIFFERENCE,
  ONECAST_SYMMETRIC_DIFFERENCE  ///< what is in one of them alone
} onecast_set_operation;

/// Of two parts of the same rank. Points become a set.
ONECAST_API onecast_status onecast_selection_combine(onecast_set_operation operation,
                                                     const onecast_part* a, const onecast_part* b,
                                                     onecast_selection** selection);
/// What the part leaves of an array of this shape.
ONECAST_API onecast_status onecast_selection_complement(const onecast_part* part, size_t rank,
                                                        const uint64_t* shape,
                                                        onecast_selection** selection);
/// All elements of boxes, which may overlap.
/// @param intervals of each box `rank` times the first coordinate and the one behind the last
ONECAST_API onecast_status onecast_selection_boxes(size_t rank, size_t count,
                                                   const uint64_t* intervals,
                                                   onecast_selection** selection);
ONECAST_API onecast_status onecast_selection_count(const onecast_selection* selection,
                                                   uint64_t* count);
/// The boxes that it consists of, none of which overlap, as onecast_selection_boxes takes them. To
/// be given back by onecast_free.
ONECAST_API onecast_status onecast_selection_get_boxes(const onecast_selection* selection,
                                                       size_t* rank, size_t* count,
                                                       uint64_t** intervals);
ONECAST_API void onecast_selection_free(onecast_selection** selection);

/// It only points to the selection.
ONECAST_API onecast_part onecast_set(const onecast_selection* selection);

ONECAST_END_C

#endif
