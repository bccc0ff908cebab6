#ifndef ONECAST_CAPI_ATTRIBUTE_H
#define ONECAST_CAPI_ATTRIBUTE_H

#include "onecast/capi/dataspace.h"
#include "onecast/capi/object.h"
#include "onecast/capi/type.h"

ONECAST_BEGIN_C

/// Attributes are small named values of an object. They are metadata, so reading them does not
/// communicate.
///
/// Functions that set, remove or rename attributes are structural: @replicated, as in
/// group.h. Functions that read are @independent; they return ONECAST_NOT_FOUND if there is no such
/// attribute.

/// Creates or replaces an attribute.
/// @param space NULL: one element
/// @param data all elements, of `type`, in C order
/// @param size number of bytes at `data` @replicated
ONECAST_API onecast_status onecast_attribute_set(onecast_object* object, const char* name,
                                                 const onecast_type* type,
                                                 const onecast_dataspace* space, const void* data,
                                                 size_t size);
/// Creates or replaces an attribute whose datatype is a committed datatype of the file. The
/// attribute refers to that datatype. @replicated
ONECAST_API onecast_status onecast_attribute_set_committed(onecast_object* object, const char* name,
                                                           const onecast_object* committed_type,
                                                           const onecast_dataspace* space,
                                                           const void* data, size_t size);
/// Creates or replaces an attribute: one UTF-8 string of fixed length. @replicated
ONECAST_API onecast_status onecast_attribute_set_text(onecast_object* object, const char* name,
                                                      const char* text);
/// Creates or replaces an attribute: UTF-8 strings of variable length. @param space a dataspace
/// with `count` elements; NULL: a one-dimensional array @replicated
ONECAST_API onecast_status onecast_attribute_set_strings(onecast_object* object, const char* name,
                                                         const onecast_dataspace* space,
                                                         size_t count, const char* const* texts);
/// @replicated
ONECAST_API onecast_status onecast_attribute_remove(onecast_object* object, const char* name);
/// Renames an attribute. Its value, its type and its position among the others stay. Errors:
/// NOT_FOUND, ALREADY_EXISTS. @replicated
ONECAST_API onecast_status onecast_attribute_rename(onecast_object* object, const char* name,
                                                    const char* new_name);

/// Sets `exists` to 1 if the object has such an attribute, else to 0. @independent
ONECAST_API onecast_status onecast_attribute_exists(const onecast_object* object, const char* name,
                                                    int* exists);
/// Returns the number of attributes. @independent
ONECAST_API onecast_status onecast_attribute_get_count(const onecast_object* object, size_t* count);
/// Returns the name of attribute `n` of an order, counted from 0; NULL if there are fewer. The
/// caller frees it with onecast_free. @independent
ONECAST_API onecast_status onecast_attribute_get_nth_name(const onecast_object* object, size_t n,
                                                          onecast_order order, char** name);
/// Lists the names of all attributes. The caller frees the list and its texts with one
/// onecast_free(*names); NULL if there are none. @independent
ONECAST_API onecast_status onecast_attribute_list(const onecast_object* object, onecast_order order,
                                                  size_t* count, char*** names);
/// Returns a copy of the attribute's type. @independent
ONECAST_API onecast_status onecast_attribute_get_type(const onecast_object* object,
                                                      const char* name, onecast_type** type);
/// @independent
ONECAST_API onecast_status onecast_attribute_get_space(const onecast_object* object,
                                                       const char* name, onecast_dataspace* space);
/// Reads all elements.
/// @param memory_type the type of the elements at `out`; NULL: the stored type
/// @param size number of bytes at `out`: exactly the size of all elements @independent
ONECAST_API onecast_status onecast_attribute_read(const onecast_object* object, const char* name,
                                                  const onecast_type* memory_type, void* out,
                                                  size_t size);
/// Reads all elements as strings, of fixed or variable length, without padding. The caller frees
/// the list and its texts with one onecast_free(*texts); NULL if there are none. @independent
ONECAST_API onecast_status onecast_attribute_read_strings(const onecast_object* object,
                                                          const char* name, size_t* count,
                                                          char*** texts);

ONECAST_END_C

#endif
