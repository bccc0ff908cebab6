#ifndef ONECAST_CAPI_STRUCTS_H
#define ONECAST_CAPI_STRUCTS_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// A string of variable length in a struct.
typedef struct onecast_text {
  size_t size;       ///< number of bytes, without the NUL
  const char* text;  ///< text that was read ends with NUL; NULL: no text, size 0
} onecast_text;

// These functions read and write elements of a compound type with members of variable length as
// structs of C. A member of type ONECAST_STRING is an onecast_text; a member of a type that
// onecast_type_sequence made is an onecast_sequence.
//
//     typedef struct station {
//       int32_t number;
//       onecast_text name;
//       onecast_sequence heights;
//     } station;
//     const onecast_member members[] = {ONECAST_MEMBER(station, number, ONECAST_INT32),
//                                       ONECAST_MEMBER(station, name, ONECAST_STRING),
//                                       ONECAST_MEMBER(station, heights, heights_type)};
//
// `type` describes the struct. Numbers are converted, members are matched by name. A sequence must
// have the stored base type, which must contain its values. There is one struct for each element of
// the part. These functions do not take part->memory. Errors: INVALID_ARGUMENT, which names the
// member.

/// Reads structs. The caller frees the list and its values with one onecast_free(*structs); NULL if
/// there are none. Members of the stored type that the struct lacks are not read. @independent
ONECAST_API onecast_status onecast_dataset_read_structs(const onecast_object* dataset,
                                                        const onecast_selection* part,
                                                        const onecast_type* type, size_t* count,
                                                        void** structs);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_structs(const onecast_object* dataset,
                                                            const onecast_selection* part,
                                                            const onecast_type* type, size_t* count,
                                                            void** structs);
/// Writes structs. The struct must have all members of the stored type. @independent
ONECAST_API onecast_status onecast_dataset_write_structs(onecast_object* dataset,
                                                         const onecast_selection* part,
                                                         const onecast_type* type, size_t count,
                                                         const void* structs);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_structs(onecast_object* dataset,
                                                             const onecast_selection* part,
                                                             const onecast_type* type, size_t count,
                                                             const void* structs);
/// @replicated
ONECAST_API onecast_status onecast_dataset_write_equal_structs(onecast_object* dataset,
                                                               const onecast_selection* part,
                                                               const onecast_type* type,
                                                               size_t count, const void* structs);

// --- attributes ---------------------------------------------------------------------------------
// Attributes are set and read as in attribute.h: whole, by structural calls, and without
// communication.

/// Reads all structs; freed like those of onecast_dataset_read_structs. @independent
ONECAST_API onecast_status onecast_attribute_read_structs(const onecast_object* object,
                                                          const char* name,
                                                          const onecast_type* type, size_t* count,
                                                          void** structs);
/// Creates or replaces an attribute of type `type`, which also describes the struct.
/// @param space NULL: an array of `count` @replicated
ONECAST_API onecast_status onecast_attribute_set_structs(onecast_object* object, const char* name,
                                                         const onecast_type* type,
                                                         const onecast_dataspace* space,
                                                         size_t count, const void* structs);
/// Reads all sequences; freed like those of onecast_dataset_read_sequences. @independent
ONECAST_API onecast_status onecast_attribute_read_sequences(const onecast_object* object,
                                                            const char* name, size_t* count,
                                                            onecast_sequence** sequences);
/// Creates or replaces an attribute.
/// @param type a sequence type
/// @param space NULL: an array of `count` @replicated
ONECAST_API onecast_status onecast_attribute_set_sequences(onecast_object* object, const char* name,
                                                           const onecast_type* type,
                                                           const onecast_dataspace* space,
                                                           size_t count,
                                                           const onecast_sequence* sequences);

ONECAST_END_C

#endif
