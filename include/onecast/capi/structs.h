#ifndef ONECAST_CAPI_STRUCTS_H
#define ONECAST_CAPI_STRUCTS_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// A string of variable length in a struct.
typedef struct onecast_text {
  size_t size;       ///< bytes, without the NUL
  const char* text;  ///< what is read ends with NUL; NULL: none, of size 0
} onecast_text;

// Elements of a compound type with members of variable length, as structs of C: a member of type
// ONECAST_STRING is an onecast_text, one of a type of onecast_type_sequence an onecast_sequence.
//
//     typedef struct station { int32_t number; onecast_text name; onecast_sequence heights; }
//     station; const onecast_member members[] = {ONECAST_MEMBER(station, number, ONECAST_INT32),
//                                       ONECAST_MEMBER(station, name, ONECAST_STRING),
//                                       ONECAST_MEMBER(station, heights, heights_type)};
//
// `type` is that of the struct; numbers are converted, members are found by their names. Sequences
// must have the stored base type, which holds its values itself. One struct for each element of the
// part; not with part->memory. Errors: INVALID_ARGUMENT, naming the member.

/// `*structs` and all values are given back together by onecast_free(*structs); NULL if there are
/// none. Members that the struct has not are left out. @independent
ONECAST_API onecast_status onecast_dataset_read_structs(const onecast_object* dataset,
                                                        const onecast_part* part,
                                                        const onecast_type* type, size_t* count,
                                                        void** structs);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_structs(const onecast_object* dataset,
                                                            const onecast_part* part,
                                                            const onecast_type* type, size_t* count,
                                                            void** structs);
/// The struct must have all members. @independent
ONECAST_API onecast_status onecast_dataset_write_structs(onecast_object* dataset,
                                                         const onecast_part* part,
                                                         const onecast_type* type, size_t count,
                                                         const void* structs);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_structs(onecast_object* dataset,
                                                             const onecast_part* part,
                                                             const onecast_type* type, size_t count,
                                                             const void* structs);
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_write_equal_structs(onecast_object* dataset,
                                                               const onecast_part* part,
                                                               const onecast_type* type,
                                                               size_t count, const void* structs);

ONECAST_END_C

#endif
