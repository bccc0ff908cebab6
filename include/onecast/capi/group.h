#ifndef ONECAST_CAPI_GROUP_H
#define ONECAST_CAPI_GROUP_H

#include <stdint.h>

#include "onecast/capi/object.h"
#include "onecast/capi/type.h"

ONECAST_BEGIN_C

/// A group is a set of named links to objects. `group` is the handle of a group (else
/// ONECAST_INVALID_ARGUMENT). Paths are relative to it, or absolute with a leading '/'. Soft and
/// external links are followed.
///
/// Functions that look something up are @independent. Functions that create, move or remove are
/// structural: @replicated. If such a
/// call fails, it fails on all ranks and changes nothing: STATE (open for reading only, closed),
/// UNSUPPORTED (a structure that cannot be changed), INVALID_ARGUMENT, ALREADY_EXISTS, NOT_FOUND.

// --- looking up ---------------------------------------------------------------------------------

/// Open the object at `path`: onecast_object_open one of any kind, onecast_group_open a group.
/// Errors: NOT_FOUND, INVALID_ARGUMENT (an object of another kind). @independent
ONECAST_API onecast_status onecast_object_open(const onecast_object* group, const char* path,
                                               onecast_object** object);
/// @independent
ONECAST_API onecast_status onecast_group_open(const onecast_object* group, const char* path,
                                              onecast_object** opened);
/// Sets `contains` to 1 if there is a link at `path`, even a dangling one, else to 0. @independent
ONECAST_API onecast_status onecast_group_contains(const onecast_object* group, const char* path,
                                                  int* contains);
/// Returns the kind of the object at `path`; ONECAST_NO_OBJECT if there is none. @independent
ONECAST_API onecast_status onecast_group_get_kind_of(const onecast_object* group, const char* path,
                                                     onecast_object_kind* kind);

/// The kind of a link: to an object of this file, to a path in it, to a path in another file, or
/// one that only its creator understands.
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
  const char* target_file;  ///< external: the other file; else NULL
  int64_t creation_order;   ///< -1 unless the group tracks it
  int is_utf8;              ///< 1: the name is UTF-8; 0: ASCII
  /// The number of the class: 0 hard, 1 soft, 64 external, above 64 user-defined.
  int link_class;
  /// The address of the object to which a hard link leads; UINT64_MAX before its first flush, and
  /// for other links.
  uint64_t address;
  const void* value;  ///< user-defined: the value; else NULL
  size_t value_size;
} onecast_link;

/// Lists all links. The caller frees the list and its texts with one onecast_free(*links); NULL if
/// there are none. @independent
ONECAST_API onecast_status onecast_group_list(const onecast_object* group, onecast_order order,
                                              size_t* count, onecast_link** links);
/// Returns the link at `path`, even a dangling one; its name is the last component of the path. The
/// caller frees it with one onecast_free(*link). Errors: NOT_FOUND. @independent
ONECAST_API onecast_status onecast_group_get_link(const onecast_object* group, const char* path,
                                                  onecast_link** link);
/// Returns link `n` of an order, counted from 0; NULL if there are fewer. The caller frees it like
/// a list of links. @independent
ONECAST_API onecast_status onecast_group_get_nth_link(const onecast_object* group, size_t n,
                                                      onecast_order order, onecast_link** link);
/// Returns the number of links. @independent
ONECAST_API onecast_status onecast_group_get_link_count(const onecast_object* group, size_t* count);

/// A function that onecast_group_visit calls for each object. It returns 0 to go on, another number
/// to stop.
/// @param path the path relative to the visited group; "." is that group
/// @param object valid during the call
typedef int (*onecast_object_visitor)(void* user, const char* path, const onecast_object* object);
/// Calls `visitor` for the group and for everything that hard links lead to below it, once for each
/// object. It must not change the groups that are visited.
/// @param order the order of the links in each group; an order of creation returns INVALID_ARGUMENT
/// if a group does not track it
/// @param user passed to `visitor`
/// @param result NULL, or set to what `visitor` returned last @independent
ONECAST_API onecast_status onecast_group_visit(const onecast_object* group, onecast_order order,
                                               onecast_object_visitor visitor, void* user,
                                               int* result);
/// A function that onecast_group_visit_links calls for each link. The name of the link is its path
/// relative to the visited group. The link is valid during the call.
typedef int (*onecast_link_visitor)(void* user, const onecast_link* link);
/// Calls `visitor` for every link below the group. Like onecast_group_visit, it follows hard links
/// and visits each group once. @independent
ONECAST_API onecast_status onecast_group_visit_links(const onecast_object* group,
                                                     onecast_order order,
                                                     onecast_link_visitor visitor, void* user,
                                                     int* result);

// --- changing -----------------------------------------------------------------------------------

/// Creates a group and missing groups on its path. @param created NULL: no handle is returned
/// @replicated
ONECAST_API onecast_status onecast_group_create(onecast_object* group, const char* path,
                                                onecast_object** created);
/// The options for creating a group. Set the defaults, then change some:
///     onecast_group_options options;
///     onecast_group_options_init(&options, sizeof options);
typedef struct onecast_group_options {
  size_t size;     ///< the size of this struct; set by onecast_group_options_init
  int link_order;  ///< 1, the default: the order of creation, so that links can be listed in it
  int attribute_order;               ///< 1: it tracks the order in which attributes are created
  int times;                         ///< 1: it has times; see onecast_object_get_modification_time
  onecast_dense_limits dense_links;  ///< by default 64 and 48
  onecast_dense_limits dense_attributes;  ///< by default 8 and 6
} onecast_group_options;

/// Sets all options to their defaults. @param size sizeof(onecast_group_options) @independent
ONECAST_API onecast_status onecast_group_options_init(onecast_group_options* options, size_t size);
/// Creates a group like onecast_group_create. @param options NULL: the defaults @replicated
ONECAST_API onecast_status onecast_group_create_with(onecast_object* group, const char* path,
                                                     const onecast_group_options* options,
                                                     onecast_object** created);
/// Creates a group without a link: see onecast_dataset_create_anonymous. Its first link must lie
/// outside of it. @replicated
ONECAST_API onecast_status onecast_group_create_anonymous(onecast_object* group,
                                                          onecast_object** created);
/// Opens the group at `path`, and creates it if it is missing. If several ranks require one path in
/// an independent section, they get one group. @param found NULL: no handle is returned @replicated
ONECAST_API onecast_status onecast_group_require(onecast_object* group, const char* path,
                                                 onecast_object** found);
/// Commits a datatype: gives it a name, and lets it have attributes. @param created NULL: no handle
/// is returned @replicated
ONECAST_API onecast_status onecast_group_create_datatype(onecast_object* group, const char* path,
                                                         const onecast_type* type,
                                                         onecast_object** created);
/// Commits a datatype without a link: see onecast_dataset_create_anonymous. A dataset or an
/// attribute of this type keeps it alive like a link. @replicated
ONECAST_API onecast_status onecast_group_create_anonymous_datatype(onecast_object* group,
                                                                   const onecast_type* type,
                                                                   onecast_object** created);
/// Returns a copy of the type of a committed datatype. @independent
ONECAST_API onecast_status onecast_datatype_get_type(const onecast_object* datatype,
                                                     onecast_type** type);

/// Creates a link to a path in this file: absolute, or relative to the group of the link. The path
/// need not exist. @replicated
ONECAST_API onecast_status onecast_group_create_soft_link(onecast_object* group, const char* path,
                                                          const char* target);
/// Creates a link to a path in another file. Neither the file nor the path need exist. @replicated
ONECAST_API onecast_status onecast_group_create_external_link(onecast_object* group,
                                                              const char* path,
                                                              const char* target_file,
                                                              const char* target);
/// Creates a link of a class that programs define. Only its creator can follow it.
/// @param link_class 65 to 255
/// @param value up to 65,535 bytes; NULL if `size` is 0 @replicated
ONECAST_API onecast_status onecast_group_create_user_defined_link(onecast_object* group,
                                                                  const char* path, int link_class,
                                                                  const void* value, size_t size);
/// Creates another name for an object of this file, or the first name of an anonymous object.
/// Errors: INVALID_ARGUMENT (an object of another file), STATE (a removed object). @replicated
ONECAST_API onecast_status onecast_group_create_hard_link(onecast_object* group, const char* path,
                                                          const onecast_object* object);
/// Renames a link or moves it to another group. Missing groups on the path are created. @replicated
ONECAST_API onecast_status onecast_group_move(onecast_object* group, const char* from,
                                              const char* to);
/// Moves a link to a path that begins at another group of this file, like onecast_group_move.
/// @replicated
ONECAST_API onecast_status onecast_group_move_into(onecast_object* group, const char* from,
                                                   onecast_object* into, const char* to);
/// Removes a link. Removing the last hard link of an object removes the object and all objects that
/// only it led to. Handles of removed objects can read until the next flush, which frees the space;
/// writing elements returns STATE at once, and any function returns STATE after the flush. The
/// caller closes these handles like others. Errors: NOT_FOUND. @replicated
ONECAST_API onecast_status onecast_group_remove(onecast_object* group, const char* path);

/// The options of onecast_group_copy. With all zeros, it copies everything, and links as links.
/// Flags are 1 or 0.
typedef struct onecast_copy_options {
  int shallow;          ///< copy groups in the copied group without members
  int expand_soft;      ///< replace soft links that lead to an object by a copy of it
  int expand_external;  ///< replace external links that lead to an object by a copy of it
  int without_attributes;
  /// Make copied objects refer to an equal committed datatype of the file, if there is one, in
  /// place of a copy of theirs.
  int merge_committed_types;
  /// Also copy the objects to which references lead, as members `~obj_pointed_by_ADDRESS` of the
  /// root group, and make the references lead to the copies. Otherwise references to objects that
  /// are not copied stay as they are within a file, and become unset in another file.
  int expand_references;
} onecast_copy_options;

/// Copies an object of this file or of another open file, with its attributes; with a group,
/// everything below it. Rank 0 copies the elements; the next flush reports its errors. @param
/// options NULL: all zeros @replicated
ONECAST_API onecast_status onecast_group_copy(onecast_object* group, const onecast_object* source,
                                              const char* path,
                                              const onecast_copy_options* options);

ONECAST_END_C

#endif
