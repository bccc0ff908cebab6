#ifndef ONECAST_CAPI_OBJECT_H
#define ONECAST_CAPI_OBJECT_H

#include "onecast/capi/file.h"

ONECAST_BEGIN_C

/// In which order links and attributes are listed. The order of creation is INVALID_ARGUMENT where
/// the object does not track it.
typedef enum onecast_order ONECAST_AS_INT {
  ONECAST_ORDER_STORED,  ///< creation where it is tracked, else name
  ONECAST_ORDER_NAME,
  ONECAST_ORDER_NAME_DESCENDING,
  ONECAST_ORDER_CREATION,
  ONECAST_ORDER_CREATION_DESCENDING
} onecast_order;

/// What is known of groups, datasets and committed datatypes alike. A handle keeps the file's
/// memory alive, also when the file is closed; what needs the file is ONECAST_STATE then. All here
/// is @independent.
typedef enum onecast_object_kind ONECAST_AS_INT {
  ONECAST_GROUP,
  ONECAST_DATASET,
  ONECAST_DATATYPE,
  ONECAST_NO_OBJECT  ///< nothing is there, or a link that dangles
} onecast_object_kind;

/// Gives the handle back; the object stays in the file.
ONECAST_API void onecast_object_close(onecast_object** object);

ONECAST_API onecast_status onecast_object_get_kind(const onecast_object* object,
                                                   onecast_object_kind* kind);
/// The path by which it was first reached, from "/"; to be given back by onecast_free.
ONECAST_API onecast_status onecast_object_get_path(const onecast_object* object, char** path);
/// The file it lies in: where an external link led to another file, that one. The handle is to be
/// given back by onecast_file_abandon; onecast_file_close closes that file for others, too.
ONECAST_API onecast_status onecast_object_get_file(const onecast_object* object,
                                                   onecast_file** file);
/// Are the two handles of one object? 1 or 0.
ONECAST_API onecast_status onecast_object_same(const onecast_object* a, const onecast_object* b,
                                               int* same);
/// What somebody noted about it; to be given back by onecast_free, and NULL if there is none.
ONECAST_API onecast_status onecast_object_get_comment(const onecast_object* object, char** comment);
/// When its header was last changed, in seconds after 1970-01-01 UTC. Errors: NOT_FOUND (that is
/// not stored).
ONECAST_API onecast_status onecast_object_get_modification_time(const onecast_object* object,
                                                                int64_t* seconds);

ONECAST_END_C

#endif
