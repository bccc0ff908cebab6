#ifndef ONECAST_CAPI_SET_H
#define ONECAST_CAPI_SET_H

#include "onecast/capi/selection.h"

ONECAST_BEGIN_C

/// A set of elements, made from selections by set operations. Its elements are taken in C order.
/// onecast_selection_set makes a selection of a set. All functions here are @independent; they
/// return ONECAST_INVALID_ARGUMENT for selections with memory.
///
///     onecast_set* ring = NULL;
///     onecast_set_combine(ONECAST_DIFFERENCE, &outer, &inner, &ring);
///     const onecast_selection part = onecast_selection_set(ring);
typedef struct onecast_set onecast_set;

typedef enum onecast_set_operation ONECAST_AS_INT {
  ONECAST_UNION,
  ONECAST_INTERSECTION,
  ONECAST_DIFFERENCE,
  ONECAST_SYMMETRIC_DIFFERENCE  ///< the elements in exactly one of the two
} onecast_set_operation;

/// Combines two selections with equal numbers of dimensions. Points become a set.
ONECAST_API onecast_status onecast_set_combine(onecast_set_operation operation,
                                               const onecast_selection* a,
                                               const onecast_selection* b, onecast_set** set);
/// Makes the set of the elements of an array of this shape that are not selected.
ONECAST_API onecast_status onecast_set_complement(const onecast_selection* selection, size_t rank,
                                                  const uint64_t* shape, onecast_set** set);
/// Makes the set of all elements of a list of boxes, which may overlap.
/// @param intervals for each box and each of its `rank` dimensions: the first coordinate and the
/// coordinate behind the last
ONECAST_API onecast_status onecast_set_boxes(size_t rank, size_t count, const uint64_t* intervals,
                                             onecast_set** set);
ONECAST_API onecast_status onecast_set_count(const onecast_set* set, uint64_t* count);
/// Returns boxes that make up the set and do not overlap, in the form that onecast_set_boxes takes.
/// The caller frees the list with onecast_free.
ONECAST_API onecast_status onecast_set_get_boxes(const onecast_set* set, size_t* rank,
                                                 size_t* count, uint64_t** intervals);
ONECAST_API void onecast_set_free(onecast_set** set);

ONECAST_END_C

#endif
