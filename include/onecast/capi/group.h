#ifndef ONECAST_CAPI_GROUP_H
#define ONECAST_CAPI_GROUP_H

#include <stdint.h>

#include "onecast/capi/object.h"
#include "onecast/capi/type.h"

ONECAST_BEGIN_C

/// Groups: folders of named links to objects. `group` is the handle of a group
/// (else ONECAST_INVALID_ARGUMENT). Paths are relative to it, or absolute with a leading '/'; soft
/// and external links are followed.
///
/// Looking up is @independent. What creates, moves or removes is structural: @collective with the
/// @same arguments on all ranks, without communication. Such a call fails before anything has
/// changed, on all ranks alike: STATE (open for reading only, closed), UNSUPPORTED (a structure
/// that cannot be changed), INVALID_ARGUMENT, ALREADY_EXISTS, NOT_FOUND.

// --- looking up ---------------------------------------------------------------------------------

/// What is at `path`, whatever it is, or only a group. Errors: NOT_FOUND, INVALID_ARGUMENT (an
/// object of another kind).
ONECAST_API onecast_status onecast_object_open(const onecast_object* group, const char* path,
                                               onecast_object** object);
ONECAST_API onecast_status onecast_group_open(const onecast_object* group, const char* path,
                                              onecast_object** opened);
/// Is there a link of that path, dangling or not? 1 or 0.
ONECAST_API onecast_status onecast_group_contains(const onecast_object* group, const char* path,
                                                  int* contains);
/// What a path leads to; ONECAST_NO_OBJECT if nothing is there.
ONECAST_API onecast_status onecast_group_get_kind_of(const onecast_object* group, const char* path,
                                                     onecast_object_kind* kind);

/// What a link leads to: an object of this file, a path in it, a path in another file, or something
/// that only its creator understands.
typedef enum onecast_link_kind ONECAST_AS_INT {
  ONECAST_LINK_HARD,
  ONECAST_LINK_SOFT,
  ONECAST_LINK_EXTERNAL,
  ONECAST_LINK_USER_DEFINED
} onecast_link_kind;

/// One name in a group.
typedef struct onecast_link {
  const char* name;
  onecast_link_kind kind;
  const char* target;       ///< soft: a path; external: the path in that file; else NULL
  const char* target_file;  ///< external, else NULL
  int64_t creation_order;   ///< -1 unless the group tracks it
} onecast_link;

/// All links. `*links` and all texts are given back together by onecast_free(*links); NULL if there
/// are none.
ONECAST_API onecast_status onecast_group_list(const onecast_object* group, onecast_order order,
                                              size_t* count, onecast_link** links);
/// How many links there are.
ONECAST_API onecast_status onecast_group_get_link_count(const onecast_object* group, size_t* count);

// --- changing -----------------------------------------------------------------------------------

/// Creates a group, and those on the way to it. @param created NULL: the handle is not needed
ONECAST_API onecast_status onecast_group_create(onecast_object* group, const char* path,
                                                onecast_object** created);
/// The group of that path, created if it is missing; where several ranks do that between
/// onecast_file_independent_begin and end, they mean the same one. @param found may be NULL
ONECAST_API onecast_status onecast_group_require(onecast_object* group, const char* path,
                                                 onecast_object** found);
/// Gives a datatype a name, and a place for attributes. @param created may be NULL
ONECAST_API onecast_status onecast_group_create_datatype(onecast_object* group, const char* path,
                                                         const onecast_type* type,
                                                         onecast_object** created);
/// The type of a committed datatype; the caller's. @independent
ONECAST_API onecast_status onecast_datatype_get_type(const onecast_object* datatype,
                                                     onecast_type** type);

/// A link to a path of this file, from the root or relative to the link's group; nothing need be
/// there.
ONECAST_API onecast_status onecast_group_create_soft_link(onecast_object* group, const char* path,
                                                          const char* target);
/// A link to a path in another file; neither need be there.
ONECAST_API onecast_status onecast_group_create_external_link(onecast_object* group,
                                                              const char* path,
                                                              const char* target_file,
                                                              const char* target);
/// One more name of an object of this file.
ONECAST_API onecast_status onecast_group_create_hard_link(onecast_object* group, const char* path,
                                                          const onecast_object* object);
/// Gives a link another name or group; groups on the way are made.
ONECAST_API onecast_status onecast_group_move(onecast_object* group, const char* from,
                                              const char* to);
/// Removes a link. With the last hard link the object goes, and with it all that only it led to.
ONECAST_API onecast_status onecast_group_remove(onecast_object* group, const char* path);

/// How to copy; all zeros: everything, links as they are. Flags are 1 or 0.
typedef struct onecast_copy_options {
  int shallow;          ///< of groups in the copied group: no members
  int expand_soft;      ///< instead of a soft link that leads somewhere: a copy of that
  int expand_external;  ///< the same of external links
  int without_attributes;
} onecast_copy_options;

/// Copies an object, of this or of any other open file, with its attributes and, of a group, all
/// below it. Rank 0 copies the elements; of an error then the next flush tells. @param options NULL
/// or all zeros: everything
ONECAST_API onecast_status onecast_group_copy(onecast_object* group, const onecast_object* source,
                                              const char* path,
                                              const onecast_copy_options* options);

ONECAST_END_C

#endif
