#ifndef ONECAST_CAPI_OBJECT_H
#define ONECAST_CAPI_OBJECT_H

#include "onecast/capi/file.h"

ONECAST_BEGIN_C

/// The order in which links and attributes are listed. A call that asks for an order of creation
/// returns INVALID_ARGUMENT if the object does not track it. Exception: attributes that are not
/// dense are listed as they are stored in the object header, also without tracking.
typedef enum onecast_order ONECAST_AS_INT {
  ONECAST_ORDER_STORED,  ///< by creation if the object tracks it, else by name
  ONECAST_ORDER_NAME,
  ONECAST_ORDER_NAME_DESCENDING,
  ONECAST_ORDER_CREATION,
  ONECAST_ORDER_CREATION_DESCENDING
} onecast_order;

/// The kind of an object. The functions here take a handle of any kind. A handle keeps the file's
/// memory alive, also after the file is closed; calls that need the file then return ONECAST_STATE.
/// All functions here except onecast_object_set_comment are @independent.
typedef enum onecast_object_kind ONECAST_AS_INT {
  ONECAST_GROUP,
  ONECAST_DATASET,
  ONECAST_DATATYPE,
  ONECAST_NO_OBJECT  ///< no object: no link, or a dangling link
} onecast_object_kind;

/// Releases the handle. The object stays in the file.
ONECAST_API void onecast_object_close(onecast_object** object);

ONECAST_API onecast_status onecast_object_get_kind(const onecast_object* object,
                                                   onecast_object_kind* kind);
/// Returns an absolute path by which the object was reached, the same while a handle exists; "" if
/// none is known, as for an anonymous object. The caller frees it with onecast_free.
ONECAST_API onecast_status onecast_object_get_path(const onecast_object* object, char** path);
/// Returns the file that holds the object: another file if an external link led to it. The caller
/// releases the handle with onecast_file_abandon; onecast_file_close would close the file for other
/// handles, too.
ONECAST_API onecast_status onecast_object_get_file(const onecast_object* object,
                                                   onecast_file** file);
/// Sets `same` to 1 if both handles refer to one object, else to 0.
ONECAST_API onecast_status onecast_object_same(const onecast_object* a, const onecast_object* b,
                                               int* same);
/// Sees what another program has written to this object since the file was opened with the option
/// follow, or since the last refresh: see onecast_file_refresh.
ONECAST_API onecast_status onecast_object_refresh(onecast_object* object);
/// Returns the comment stored with the object; NULL if there is none. The caller frees it with
/// onecast_free.
ONECAST_API onecast_status onecast_object_get_comment(const onecast_object* object, char** comment);
/// Sets the comment, or removes it. HDF5 keeps comments for old programs; new programs use
/// attributes.
/// @param comment NULL or "": no comment @replicated
ONECAST_API onecast_status onecast_object_set_comment(onecast_object* object, const char* comment);
/// Adds `by` to the number of links that the object header counts. An object is removed with the
/// last of the counted links, so an object with a higher count outlives its links. Errors:
/// INVALID_ARGUMENT (the count would become less than 1), STATE (before the first flush of the
/// object). @replicated
ONECAST_API onecast_status onecast_object_change_link_count(onecast_object* object, int64_t by);
/// Returns the number of links that the object header counts. @independent
ONECAST_API onecast_status onecast_object_get_link_count(const onecast_object* object,
                                                         uint32_t* count);
/// The numbers at which links or attributes change between compact storage, in the object header,
/// and dense storage, in a heap with an index. The file stores them for all libraries.
typedef struct onecast_dense_limits {
  unsigned max_compact;  ///< more become dense; 0: dense at once. At most 65,535.
  unsigned min_dense;    ///< fewer become compact again. At most `max_compact`.
} onecast_dense_limits;

/// Returns the limits of an object.
/// @param links NULL, or set to those of a group's links
/// @param attributes NULL, or set to those of the attributes @independent
ONECAST_API onecast_status onecast_object_get_dense_limits(const onecast_object* object,
                                                           onecast_dense_limits* links,
                                                           onecast_dense_limits* attributes);
/// The time at which the object's header was last changed, in seconds since 1970-01-01 UTC. Errors:
/// NOT_FOUND (the time is not stored).
ONECAST_API onecast_status onecast_object_get_modification_time(const onecast_object* object,
                                                                int64_t* seconds);

ONECAST_END_C

#endif
