#ifndef ONECAST_CAPI_DATASET_H
#define ONECAST_CAPI_DATASET_H

#include "onecast/capi/filter.h"
#include "onecast/capi/group.h"
#include "onecast/capi/space.h"

ONECAST_BEGIN_C

/// Where the elements lie.
typedef enum onecast_layout ONECAST_AS_INT {
  ONECAST_LAYOUT_AUTOMATIC,  ///< what the other options ask for; else compact if small, contiguous
  ONECAST_LAYOUT_COMPACT,    ///< in the dataset's header, at most 64,000 bytes
  ONECAST_LAYOUT_CONTIGUOUS,
  ONECAST_LAYOUT_CHUNKED,  ///< only these are filtered and grow
  ONECAST_LAYOUT_EXTERNAL,
  ONECAST_LAYOUT_VIRTUAL
} onecast_layout;

/// When a chunk that is partly written gets the fill value elsewhere: HDF5's terms and numbers.
typedef enum onecast_fill_time ONECAST_AS_INT {
  ONECAST_FILL_ON_ALLOCATION,
  ONECAST_FILL_NEVER,
  ONECAST_FILL_IF_SET  ///< the default
} onecast_fill_time;

/// Bytes of a file that is not HDF5 which hold elements.
typedef struct onecast_external_slot {
  const char* file;
  uint64_t offset;
  uint64_t size;  ///< ONECAST_UNLIMITED: up to the end of the dataset
} onecast_external_slot;

/// Elements of a virtual dataset that are those of another: the first of `mapped` is the first of
/// `source`, and so on.
typedef struct onecast_virtual_source {
  const char* file;  ///< "." is the file of the virtual dataset
  const char* dataset;
  const onecast_part* source;  ///< in that dataset; NULL: all
  const onecast_part* mapped;  ///< in the virtual dataset; NULL: all
} onecast_virtual_source;

/// How a dataset is stored. It only points to lists, which are copied when it is created.
///
///     onecast_dataset_options options;
///     onecast_dataset_options_init(&options, sizeof options);
///     options.chunk = chunk;
///
/// Later versions may add members at the end: programs compiled before go on to work.
typedef struct onecast_dataset_options {
  size_t size;  ///< of this struct; set by onecast_dataset_options_init
  onecast_layout layout;
  const uint64_t* chunk;  ///< elements per chunk in each dimension; NULL: none
  size_t filter_count;
  const onecast_filter* filters;  ///< what each chunk passes through, in this order
  const void* fill_value;         ///< one element, in the dataset's type; NULL: zeros
  size_t fill_value_size;
  size_t external_count;
  const onecast_external_slot* external;
  size_t source_count;
  const onecast_virtual_source* sources;
  const onecast_object*
      committed_type;  ///< a committed datatype of the file, equal to the type that
                       ///< the dataset is created with, which then refers to it
  /// Kept in the file, for programs that go by it; Onecast shows the fill value in any case.
  onecast_fill_time fill_time;
} onecast_dataset_options;

/// The defaults. @param size sizeof(onecast_dataset_options) @independent
ONECAST_API onecast_status onecast_dataset_options_init(onecast_dataset_options* options,
                                                        size_t size);

/// Creates a dataset, and the groups on the way to it. Errors as in group.h, and UNSUPPORTED (a
/// type that cannot be written).
/// @param space NULL: one element @param options NULL: the defaults @param created may be NULL
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_create(onecast_object* group, const char* path,
                                                  const onecast_type* type,
                                                  const onecast_space* space,
                                                  const onecast_dataset_options* options,
                                                  onecast_object** created);
/// Errors: NOT_FOUND, INVALID_ARGUMENT (another kind of object). @independent, as all up to read
ONECAST_API onecast_status onecast_dataset_open(const onecast_object* group, const char* path,
                                                onecast_object** dataset);
/// The caller's.
ONECAST_API onecast_status onecast_dataset_get_type(const onecast_object* dataset,
                                                    onecast_type** type);
ONECAST_API onecast_status onecast_dataset_get_space(const onecast_object* dataset,
                                                     onecast_space* space);
ONECAST_API onecast_status onecast_dataset_get_layout(const onecast_object* dataset,
                                                      onecast_layout* layout);
/// Elements per chunk in each dimension. @param rank 0 if it is not chunked @param chunk room for
/// ONECAST_MAX_RANK numbers
ONECAST_API onecast_status onecast_dataset_get_chunk(const onecast_object* dataset, size_t* rank,
                                                     uint64_t* chunk);

// --- elements -----------------------------------------------------------------------------------

// Five verbs, for elements as they are in memory, and below for strings, sequences, structs
// (structs.h) and references (reference.h):
//
// - read: reads for this rank alone. What nobody wrote is the fill value.
// - read_all: all ranks read, each its own part or nothing. Where all ask for one and the same
// part,
//   rank 0 reads it and broadcasts it. All ranks succeed or all get the same error.
// - write: writes for this rank alone. Of compact datasets, filtered chunks and new chunks other
//   ranks see the elements after the next flush.
// - write_all: all ranks write, each its own part or nothing.
// - write_equal: all ranks have the same elements. Rank 0 writes them, and the next flush compares
//   them and tells of errors; with part->sharing ONECAST_SHARING_VERIFY or _SERVE one small
//   reduction compares them at once.
//
// `part` NULL: all. `memory_type` NULL: the stored type, else elements are converted as HDF5
// converts: numbers to any number, compounds by the names of their members. `size`: bytes at `out`
// or `data`, exactly as many as the part has (or part->memory).
//
// Errors: INVALID_ARGUMENT (another size, a part that leaves the array, a type there is no
// conversion to), IO, STATE, UNSUPPORTED, FORMAT.

/// @independent
ONECAST_API onecast_status onecast_dataset_read(const onecast_object* dataset,
                                                const onecast_part* part,
                                                const onecast_type* memory_type, void* out,
                                                size_t size);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all(const onecast_object* dataset,
                                                    const onecast_part* part,
                                                    const onecast_type* memory_type, void* out,
                                                    size_t size);
/// @independent
ONECAST_API onecast_status onecast_dataset_write(onecast_object* dataset, const onecast_part* part,
                                                 const onecast_type* memory_type, const void* data,
                                                 size_t size);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all(onecast_object* dataset,
                                                     const onecast_part* part,
                                                     const onecast_type* memory_type,
                                                     const void* data, size_t size);
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_write_equal(onecast_object* dataset,
                                                       const onecast_part* part,
                                                       const onecast_type* memory_type,
                                                       const void* data, size_t size);
/// Changes the shape, within the maximal one. What a smaller one leaves out is gone. @param shape
/// `rank` numbers @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_resize(onecast_object* dataset, size_t rank,
                                                  const uint64_t* shape);

// --- strings and sequences ----------------------------------------------------------------------
// One for each element of the part; not with part->memory.

/// Strings of fixed or variable length, without padding. `*texts` and all of them are given back
/// together by onecast_free(*texts); NULL if there are none. @independent
ONECAST_API onecast_status onecast_dataset_read_strings(const onecast_object* dataset,
                                                        const onecast_part* part, size_t* count,
                                                        char*** texts);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_strings(const onecast_object* dataset,
                                                            const onecast_part* part, size_t* count,
                                                            char*** texts);
/// @independent
ONECAST_API onecast_status onecast_dataset_write_strings(onecast_object* dataset,
                                                         const onecast_part* part, size_t count,
                                                         const char* const* texts);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_strings(onecast_object* dataset,
                                                             const onecast_part* part, size_t count,
                                                             const char* const* texts);
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_write_equal_strings(onecast_object* dataset,
                                                               const onecast_part* part,
                                                               size_t count,
                                                               const char* const* texts);

/// A value of a sequence type: `count` elements of its base type, as they are stored.
typedef struct onecast_sequence {
  size_t count;
  const void* elements;  ///< NULL if there are none
} onecast_sequence;

/// `*sequences` and all elements are given back together by onecast_free(*sequences); NULL if there
/// are none. The base type must hold its values itself: no strings of variable length, sequences or
/// references. @independent
ONECAST_API onecast_status onecast_dataset_read_sequences(const onecast_object* dataset,
                                                          const onecast_part* part, size_t* count,
                                                          onecast_sequence** sequences);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_sequences(const onecast_object* dataset,
                                                              const onecast_part* part,
                                                              size_t* count,
                                                              onecast_sequence** sequences);
/// @independent
ONECAST_API onecast_status onecast_dataset_write_sequences(onecast_object* dataset,
                                                           const onecast_part* part, size_t count,
                                                           const onecast_sequence* sequences);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_sequences(onecast_object* dataset,
                                                               const onecast_part* part,
                                                               size_t count,
                                                               const onecast_sequence* sequences);
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_write_equal_sequences(onecast_object* dataset,
                                                                 const onecast_part* part,
                                                                 size_t count,
                                                                 const onecast_sequence* sequences);

ONECAST_END_C

#endif
