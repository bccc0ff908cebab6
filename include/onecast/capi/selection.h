#ifndef ONECAST_CAPI_SELECTION_H
#define ONECAST_CAPI_SELECTION_H

#include "onecast/capi/space.h"

ONECAST_BEGIN_C

/// A set of elements, made from parts by set operations. Its elements are taken in C order. Every
/// function that takes a part also takes a selection, as onecast_set(selection). All functions here
/// are @independent; they return ONECAST_INVALID_ARGUMENT for parts with memory.
///
///     onecast_selection* ring = NULL;
///     onecast_selection_combine(ONECAST_DIFFERENCE, &outer, &inner, &ring);
///     const onecast_part part = onecast_set(ring);
typedef struct onecast_selection onecast_selection;

typedef enum onecast_set_operation ONECAST_AS_INT {
  ONECAST_UNION,
  ONECAST_INTERSECTION,
  ONECAST_DIFFERENCE,
  ONECAST_SYMMETRIC_DIFFERENCE  ///< the elements in exactly one of the two
} onecast_set_operation;

/// Combines two parts with equal numbers of dimensions. Points become a set.
ONECAST_API onecast_status onecast_selection_combine(onecast_set_operation operation,
                                                     const onecast_part* a, const onecast_part* b,
                                                     onecast_selection** selection);
/// Selects the elements of an array of this shape that are not in the part.
ONECAST_API onecast_status onecast_selection_complement(const onecast_part* part, size_t rank,
                                                        const uint64_t* shape,
                                                        onecast_selection** selection);
/// Selects all elements of a list of boxes, which may overlap.
/// @param intervals for each box and each of its `rank` dimensions: the first coordinate and the
/// coordinate behind the last
ONECAST_API onecast_status onecast_selection_boxes(size_t rank, size_t count,
                                                   const uint64_t* intervals,
                                                   onecast_selection** selection);
ONECAST_API onecast_status onecast_selection_count(const onecast_selection* selection,
                                                   uint64_t* count);
/// Returns boxes that make up the selection and do not overlap, in the form that
/// onecast_selection_boxes takes. The caller frees the list with onecast_free.
ONECAST_API onecast_status onecast_selection_get_boxes(const onecast_selection* selection,
                                                       size_t* rank, size_t* count,
                                                       uint64_t** intervals);
ONECAST_API void onecast_selection_free(onecast_selection** selection);

/// Makes a part of a selection. The part points to the selection, which must stay valid.
ONECAST_API onecast_part onecast_set(const onecast_selection* selection);

ONECAST_END_C

#endif
