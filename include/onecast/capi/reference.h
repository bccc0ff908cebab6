#ifndef ONECAST_CAPI_REFERENCE_H
#define ONECAST_CAPI_REFERENCE_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// A reference to an object or to a part of a dataset. It can be an element of a dataset or an
/// attribute. The caller frees it with onecast_reference_free.
typedef struct onecast_reference onecast_reference;

/// Makes a reference to an object. The call is @replicated if the object
/// was created since the last flush, else @independent. Errors: STATE (the object was removed).
ONECAST_API onecast_status onecast_object_get_reference(const onecast_object* object,
                                                        onecast_reference** reference);
/// Makes a reference to a part of a dataset. The call is @replicated if
/// the dataset was created since the last flush, else @independent. Errors: STATE (the dataset was
/// removed).
ONECAST_API onecast_status onecast_dataset_get_reference(const onecast_object* dataset,
                                                         const onecast_selection* part,
                                                         onecast_reference** reference);
/// @independent
ONECAST_API void onecast_reference_free(onecast_reference** reference);

/// Sets `set` to 1 if the reference leads to something, to 0 if it was never set. @independent
ONECAST_API onecast_status onecast_reference_is_set(const onecast_reference* reference, int* set);
ONECAST_API onecast_status onecast_reference_get_kind(const onecast_reference* reference,
                                                      onecast_reference_kind* kind);
/// Opens the object to which a reference leads, anywhere in the file of `group`. Errors: NOT_FOUND
/// (the reference was never set), UNSUPPORTED (the object is in another file), FORMAT (no object at
/// that address). @independent
ONECAST_API onecast_status onecast_reference_open(const onecast_object* group,
                                                  const onecast_reference* reference,
                                                  onecast_object** object);
/// Returns the part of a dataset to which a region reference leads, as blocks. Each block has 2 *
/// rank numbers: its first coordinates, then the coordinates behind its last. The caller frees the
/// list with onecast_free(*blocks); NULL if there are none. @param dataset the object that
/// onecast_reference_open returned @independent
ONECAST_API onecast_status onecast_reference_list_blocks(const onecast_object* dataset,
                                                         const onecast_reference* reference,
                                                         size_t* count, uint64_t** blocks);

/// Reads the elements of a dataset of a reference type. The caller frees each reference with
/// onecast_reference_free and the list with onecast_free. @independent
ONECAST_API onecast_status onecast_dataset_read_references(const onecast_object* dataset,
                                                           const onecast_selection* part,
                                                           size_t* count,
                                                           onecast_reference*** references);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_references(const onecast_object* dataset,
                                                               const onecast_selection* part,
                                                               size_t* count,
                                                               onecast_reference*** references);
/// @independent
ONECAST_API onecast_status
onecast_dataset_write_references(onecast_object* dataset, const onecast_selection* part,
                                 size_t count, const onecast_reference* const* references);
/// @collective @local
ONECAST_API onecast_status
onecast_dataset_write_all_references(onecast_object* dataset, const onecast_selection* part,
                                     size_t count, const onecast_reference* const* references);
/// @replicated
ONECAST_API onecast_status
onecast_dataset_write_equal_references(onecast_object* dataset, const onecast_selection* part,
                                       size_t count, const onecast_reference* const* references);
/// Reads the elements of an attribute of a reference type; freed like those of
/// onecast_dataset_read_references. @independent
ONECAST_API onecast_status onecast_attribute_read_references(const onecast_object* object,
                                                             const char* name, size_t* count,
                                                             onecast_reference*** references);
/// Creates or replaces an attribute.
/// @param type a reference type
/// @param space NULL: an array of `count`
/// @param references one for each element; NULL: a reference that is not set @replicated
ONECAST_API onecast_status onecast_attribute_set_references(
    onecast_object* object, const char* name, const onecast_type* type,
    const onecast_dataspace* space, size_t count, const onecast_reference* const* references);

ONECAST_END_C

#endif
