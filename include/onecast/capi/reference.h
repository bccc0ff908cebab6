#ifndef ONECAST_CAPI_REFERENCE_H
#define ONECAST_CAPI_REFERENCE_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// What leads to an object, or to a part of a dataset, and can be an element of a dataset or an
/// attribute. Given back by onecast_reference_free.
typedef struct onecast_reference onecast_reference;

/// To an object. Of one that was created since the last flush: @collective, does not communicate;
/// else @independent. Errors: STATE (it was removed).
ONECAST_API onecast_status onecast_object_get_reference(const onecast_object* object,
                                                        onecast_reference** reference);
/// To a part of a dataset; likewise.
ONECAST_API onecast_status onecast_dataset_get_reference(const onecast_object* dataset,
                                                         const onecast_part* part,
                                                         onecast_reference** reference);
ONECAST_API void onecast_reference_free(onecast_reference** reference);

/// Was it set? 1 or 0. @independent, as the next three
ONECAST_API onecast_status onecast_reference_is_set(const onecast_reference* reference, int* set);
ONECAST_API onecast_status onecast_reference_get_kind(const onecast_reference* reference,
                                                      onecast_reference_kind* kind);
/// What it leads to, anywhere in the file of `group`. Errors: NOT_FOUND (never set), UNSUPPORTED
/// (in another file), FORMAT (nothing is there).
ONECAST_API onecast_status onecast_reference_open(const onecast_object* group,
                                                  const onecast_reference* reference,
                                                  onecast_object** object);
/// The part of a dataset that a region reference means, as blocks: of each the first coordinates,
/// and those behind the last, 2 * rank numbers. Given back by onecast_free(*blocks); NULL if there
/// are none. @param dataset what onecast_reference_open gave
ONECAST_API onecast_status onecast_reference_list_blocks(const onecast_object* dataset,
                                                         const onecast_reference* reference,
                                                         size_t* count, uint64_t** blocks);

/// The elements of a dataset of a reference type. What is read is the caller's: each reference by
/// onecast_reference_free, the list by onecast_free. Writing takes one for each element of the
/// part; NULL is one that is not set. @independent
ONECAST_API onecast_status onecast_dataset_read_references(const onecast_object* dataset,
                                                           const onecast_part* part, size_t* count,
                                                           onecast_reference*** references);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_references(const onecast_object* dataset,
                                                               const onecast_part* part,
                                                               size_t* count,
                                                               onecast_reference*** references);
/// @independent
ONECAST_API onecast_status
onecast_dataset_write_references(onecast_object* dataset, const onecast_part* part, size_t count,
                                 const onecast_reference* const* references);
/// @collective @local
ONECAST_API onecast_status
onecast_dataset_write_all_references(onecast_object* dataset, const onecast_part* part,
                                     size_t count, const onecast_reference* const* references);
/// @collective @same; does not communicate
ONECAST_API onecast_status
onecast_dataset_write_equal_references(onecast_object* dataset, const onecast_part* part,
                                       size_t count, const onecast_reference* const* references);
/// The elements of an attribute, likewise. @independent
ONECAST_API onecast_status onecast_attribute_read_references(const onecast_object* object,
                                                             const char* name, size_t* count,
                                                             onecast_reference*** references);
/// Creates or replaces an attribute. @param type of references @param space NULL: an array of
/// `count` @collective @same; does not communicate
ONECAST_API onecast_status onecast_attribute_set_references(
    onecast_object* object, const char* name, const onecast_type* type, const onecast_space* space,
    size_t count, const onecast_reference* const* references);

ONECAST_END_C

#endif
