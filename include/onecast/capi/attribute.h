#ifndef ONECAST_CAPI_ATTRIBUTE_H
#define ONECAST_CAPI_ATTRIBUTE_H

#include "onecast/capi/object.h"
#include "onecast/capi/space.h"

ONECAST_BEGIN_C

/// Attributes: small named values of an object. They live in metadata, so nothing here
/// communicates.
///
/// Setting and removing is structural: @collective @same, as in group.h. Reading is @independent;
/// an attribute that is not there is ONECAST_NOT_FOUND.

/// Creates or replaces an attribute.
/// @param space NULL: one element
/// @param data all elements, of `type`, in C order @param size bytes of data
ONECAST_API onecast_status onecast_attribute_set(onecast_object* object, const char* name,
                                                 const onecast_type* type,
                                                 const onecast_space* space, const void* data,
                                                 size_t size);
/// The same with a committed datatype of the file, to which the attribute then refers.
ONECAST_API onecast_status onecast_attribute_set_committed(onecast_object* object, const char* name,
                                                           const onecast_object* committed_type,
                                                           const onecast_space* space,
                                                           const void* data, size_t size);
/// One string of fixed length, UTF-8.
ONECAST_API onecast_status onecast_attribute_set_text(onecast_object* object, const char* name,
                                                      const char* text);
/// Strings of variable length, UTF-8. @param space NULL: an array of `count`, or what has as many
/// elements
ONECAST_API onecast_status onecast_attribute_set_strings(onecast_object* object, const char* name,
                                                         const onecast_space* space, size_t count,
                                                         const char* const* texts);
ONECAST_API onecast_status onecast_attribute_remove(onecast_object* object, const char* name);

/// 1 or 0.
ONECAST_API onecast_status onecast_attribute_exists(const onecast_object* object, const char* name,
                                                    int* exists);
/// The names of all. `*names` and all texts
/// are given back together by onecast_free(*names); NULL if there are none.
ONECAST_API onecast_status onecast_attribute_list(const onecast_object* object, onecast_order order,
                                                  size_t* count, char*** names);
/// The caller's.
ONECAST_API onecast_status onecast_attribute_get_type(const onecast_object* object,
                                                      const char* name, onecast_type** type);
ONECAST_API onecast_status onecast_attribute_get_space(const onecast_object* object,
                                                       const char* name, onecast_space* space);
/// All elements. @param memory_type what to convert them to; NULL: as they are stored @param size
/// bytes at `out`, exactly as many as the elements have
ONECAST_API onecast_status onecast_attribute_read(const onecast_object* object, const char* name,
                                                  const onecast_type* memory_type, void* out,
                                                  size_t size);
/// All elements, strings of fixed or variable length, without padding. `*texts` and all of them are
/// given back together by onecast_free(*texts); NULL if there are none.
ONECAST_API onecast_status onecast_attribute_read_strings(const onecast_object* object,
                                                          const char* name, size_t* count,
                                                          char*** texts);

ONECAST_END_C

#endif
