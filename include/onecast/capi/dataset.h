#ifndef ONECAST_CAPI_DATASET_H
#define ONECAST_CAPI_DATASET_H

#include "onecast/capi/filter.h"
#include "onecast/capi/group.h"
#include "onecast/capi/selection.h"

ONECAST_BEGIN_C

/// The storage layout of a dataset.
typedef enum onecast_layout ONECAST_AS_INT {
  ONECAST_LAYOUT_AUTOMATIC,   ///< what the other options require; else compact if small, else
                              ///< contiguous
  ONECAST_LAYOUT_COMPACT,     ///< in the dataset's header, at most 64,000 bytes
  ONECAST_LAYOUT_CONTIGUOUS,  ///< in one piece, here or in external files
  ONECAST_LAYOUT_CHUNKED,     ///< the only layout with filters and a variable shape
  ONECAST_LAYOUT_VIRTUAL
} onecast_layout;

/// The time at which unwritten elements get the fill value. Names and values are those of HDF5.
typedef enum onecast_fill_time ONECAST_AS_INT {
  ONECAST_FILL_ON_ALLOCATION,
  ONECAST_FILL_NEVER,
  ONECAST_FILL_IF_SET  ///< the default
} onecast_fill_time;

/// The time at which other programs allocate the space of elements. Values are those of HDF5.
typedef enum onecast_allocation_time ONECAST_AS_INT {
  ONECAST_ALLOCATE_AUTOMATIC,  ///< incremental for chunks, early for other data
  ONECAST_ALLOCATE_EARLY,
  ONECAST_ALLOCATE_LATE,
  ONECAST_ALLOCATE_INCREMENTAL
} onecast_allocation_time;

/// A range of bytes that holds elements, in a file that is not HDF5.
typedef struct onecast_external_slot {
  const char* file;
  uint64_t offset;
  uint64_t size;  ///< ONECAST_UNLIMITED: up to the end of the dataset
} onecast_external_slot;

/// Maps elements of a virtual dataset to elements of another dataset: the first element of `mapped`
/// to the first of `source`, and so on.
typedef struct onecast_virtual_source {
  const char* file;  ///< "." is the file of the virtual dataset
  const char* dataset;
  const onecast_selection* source;  ///< the elements of that dataset; NULL: all
  const onecast_selection* mapped;  ///< the elements of the virtual dataset; NULL: all
} onecast_virtual_source;

/// The options for creating a dataset. The struct points to its lists; the call that creates the
/// dataset copies them.
///
///     onecast_dataset_options options;
///     onecast_dataset_options_init(&options, sizeof options);
///     options.chunk = chunk;
///
/// Later versions may add members at the end. Programs compiled before then still work.
typedef struct onecast_dataset_options {
  size_t size;  ///< the size of this struct; set by onecast_dataset_options_init
  onecast_layout layout;
  const uint64_t* chunk;  ///< elements per chunk in each dimension; NULL: none
  size_t filter_count;
  const onecast_filter* filters;  ///< the filters that are applied to each chunk, in this order
  const void* fill_value;         ///< one element, in the dataset's type; NULL: zeros
  size_t fill_value_size;
  size_t external_count;
  const onecast_external_slot* external;
  size_t source_count;
  const onecast_virtual_source* sources;
  /// NULL, or a committed datatype of the file. It must equal the type with which the dataset is
  /// created. The dataset then refers to it.
  const onecast_object* committed_type;
  /// The fill time that the file stores for other programs. Onecast returns the fill value for
  /// unwritten elements in any case.
  onecast_fill_time fill_time;
  /// 1: the dataset tracks the order in which its attributes are created.
  int attribute_order;
  /// 1: it has times; see onecast_object_get_modification_time.
  int times;
  /// The allocation time that the file stores for other programs.
  onecast_allocation_time allocation_time;
  const char* external_prefix;  ///< see onecast_dataset_set_prefixes
  const char* source_prefix;
  onecast_dense_limits dense_attributes;  ///< by default 8 and 6
} onecast_dataset_options;

/// Sets all options to their defaults. @param size sizeof(onecast_dataset_options) @independent
ONECAST_API onecast_status onecast_dataset_options_init(onecast_dataset_options* options,
                                                        size_t size);

/// Creates a dataset and missing groups on its path. Errors: those in group.h, and UNSUPPORTED (a
/// type that cannot be written).
/// @param space NULL: one element
/// @param options NULL: the defaults
/// @param created NULL: no handle is returned @replicated
ONECAST_API onecast_status onecast_dataset_create(onecast_object* group, const char* path,
                                                  const onecast_type* type,
                                                  const onecast_dataspace* space,
                                                  const onecast_dataset_options* options,
                                                  onecast_object** created);
/// Creates an anonymous dataset: it has no link, and its path is "". It can be used like other
/// datasets, but only handles and references lead to it. onecast_group_create_hard_link gives it a
/// link. Without a link it ends, and its space is free, at the first flush at which no rank has a
/// handle of it, at the latest when the file is closed. A dataset that is created in an independent
/// section needs a link before the next flush; anonymous objects that were created outside cannot
/// get their first link in a section. @param group any group of the file @replicated
ONECAST_API onecast_status onecast_dataset_create_anonymous(onecast_object* group,
                                                            const onecast_type* type,
                                                            const onecast_dataspace* space,
                                                            const onecast_dataset_options* options,
                                                            onecast_object** created);
/// Opens a dataset. Errors: NOT_FOUND, INVALID_ARGUMENT (an object of another kind). @independent
ONECAST_API onecast_status onecast_dataset_open(const onecast_object* group, const char* path,
                                                onecast_object** dataset);
/// Sets the folders in which Onecast looks first for the files that the dataset names, for all
/// handles of the dataset on this rank, as long as this handle or one that is made later exists.
/// They are not stored. A leading "${ORIGIN}" is the folder of the HDF5 file. Names with an
/// absolute path have no prefix. The environment variables HDF5_EXTFILE_PREFIX and HDF5_VDS_PREFIX
/// take precedence.
/// @param external the folder of external files; NULL: none
/// @param sources the folders of the sources of a virtual dataset, with ':' between them; NULL:
/// none @independent
ONECAST_API onecast_status onecast_dataset_set_prefixes(onecast_object* dataset,
                                                        const char* external, const char* sources);
/// Returns a copy of the dataset's type. @independent
ONECAST_API onecast_status onecast_dataset_get_type(const onecast_object* dataset,
                                                    onecast_type** type);
/// @independent
ONECAST_API onecast_status onecast_dataset_get_space(const onecast_object* dataset,
                                                     onecast_dataspace* space);
/// @independent
ONECAST_API onecast_status onecast_dataset_get_layout(const onecast_object* dataset,
                                                      onecast_layout* layout);
/// Returns the number of elements per chunk in each dimension. @param rank set to 0 if the dataset
/// is not chunked @param chunk room for ONECAST_MAX_RANK numbers @independent
ONECAST_API onecast_status onecast_dataset_get_chunk(const onecast_object* dataset, size_t* rank,
                                                     uint64_t* chunk);

/// A filter of a dataset, as the file describes it.
typedef struct onecast_dataset_filter {
  uint16_t id;
  int optional;
  const char* name;  ///< the common name, else the stored name; "" if there is none
  size_t client_data_count;
  const uint32_t* client_data;
} onecast_dataset_filter;
/// Lists the filters in the order in which they are applied. The caller frees the list and
/// everything that it points to with one onecast_free(*filters); NULL if there are none.
/// @independent
ONECAST_API onecast_status onecast_dataset_list_filters(const onecast_object* dataset,
                                                        size_t* count,
                                                        onecast_dataset_filter** filters);

/// Lists the slots in other files that hold the elements of a contiguous dataset. The caller frees
/// the list and its texts with one onecast_free(*slots); NULL if there are none. @independent
ONECAST_API onecast_status onecast_dataset_list_external(const onecast_object* dataset,
                                                         size_t* count,
                                                         onecast_external_slot** slots);

/// The origin of the fill value. Names and values are those of HDF5.
typedef enum onecast_fill_value ONECAST_AS_INT {
  ONECAST_FILL_VALUE_UNDEFINED,    ///< there is none; Onecast reads zeros
  ONECAST_FILL_VALUE_DEFAULT,      ///< zeros
  ONECAST_FILL_VALUE_USER_DEFINED  ///< set by a program
} onecast_fill_value;
/// Returns the origin of the fill value, and the fill time. Each of the last two pointers may be
/// NULL. @independent
ONECAST_API onecast_status onecast_dataset_get_fill(const onecast_object* dataset,
                                                    onecast_fill_value* fill_value,
                                                    onecast_fill_time* fill_time);
/// Reads the fill value, which unwritten elements have. Strings, sequences and references are not
/// supported.
/// @param memory_type the type of the element at `out`; NULL: the stored type
/// @param size number of bytes at `out`: exactly the size of one element @independent
ONECAST_API onecast_status onecast_dataset_get_fill_value(const onecast_object* dataset,
                                                          const onecast_type* memory_type,
                                                          void* out, size_t size);
/// Returns the number of bytes that the elements take in the file, without values of variable
/// length. For a chunked dataset these are the bytes of its chunks after the filters, including
/// chunks that wait for the next flush on this rank; for an external dataset, the bytes in its
/// files; for a virtual dataset, 0. @independent
ONECAST_API onecast_status onecast_dataset_get_storage_size(const onecast_object* dataset,
                                                            uint64_t* size);

// --- elements -----------------------------------------------------------------------------------

// There are five operations, here for elements as they lie in memory, and below for strings,
// sequences, structs (structs.h) and references (reference.h):
//
// - read: this rank reads alone. Unwritten elements have the fill value.
// - read_all: all ranks read, each its own part or nothing. If all ranks ask for one part, rank 0
//   reads it and broadcasts it. The call succeeds on all ranks, or fails on all with one error.
// - write: this rank writes alone. Other ranks see the elements of compact datasets, filtered
//   chunks and new chunks after the next flush.
// - write_all: all ranks write, each its own part or nothing. It succeeds or fails on all ranks.
// - write_equal: all ranks pass equal elements. Rank 0 writes them. The next flush compares the
//   elements of all ranks and reports errors. With part->sharing ONECAST_SHARING_VERIFY or _SERVE
//   one small reduction compares them in the call.
//
// If `part` is NULL, it means all elements. If `memory_type` is NULL, it means the stored type;
// otherwise elements are converted as in HDF5: numbers to numbers, compounds by the names of their
// members. `size` is the number of bytes at `out` or `data`, exactly the size of the part's
// elements (of part->memory's array, if given).
//
// Errors: INVALID_ARGUMENT (a wrong size, a part outside of the array, no conversion between the
// types), IO, STATE, UNSUPPORTED, FORMAT.

/// @independent
ONECAST_API onecast_status onecast_dataset_read(const onecast_object* dataset,
                                                const onecast_selection* part,
                                                const onecast_type* memory_type, void* out,
                                                size_t size);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all(const onecast_object* dataset,
                                                    const onecast_selection* part,
                                                    const onecast_type* memory_type, void* out,
                                                    size_t size);
/// @independent
ONECAST_API onecast_status onecast_dataset_write(onecast_object* dataset,
                                                 const onecast_selection* part,
                                                 const onecast_type* memory_type, const void* data,
                                                 size_t size);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all(onecast_object* dataset,
                                                     const onecast_selection* part,
                                                     const onecast_type* memory_type,
                                                     const void* data, size_t size);
/// @replicated
ONECAST_API onecast_status onecast_dataset_write_equal(onecast_object* dataset,
                                                       const onecast_selection* part,
                                                       const onecast_type* memory_type,
                                                       const void* data, size_t size);
/// Changes the shape, within the maximum shape. Elements outside of a smaller shape are lost.
/// @param shape `rank` numbers @replicated
ONECAST_API onecast_status onecast_dataset_resize(onecast_object* dataset, size_t rank,
                                                  const uint64_t* shape);

// --- strings and sequences ----------------------------------------------------------------------
// There is one value for each element of the part. These functions do not take part->memory.

/// Reads strings, of fixed or variable length, without padding. The caller frees the list and its
/// texts with one onecast_free(*texts); NULL if there are none. @independent
ONECAST_API onecast_status onecast_dataset_read_strings(const onecast_object* dataset,
                                                        const onecast_selection* part,
                                                        size_t* count, char*** texts);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_strings(const onecast_object* dataset,
                                                            const onecast_selection* part,
                                                            size_t* count, char*** texts);
/// @independent
ONECAST_API onecast_status onecast_dataset_write_strings(onecast_object* dataset,
                                                         const onecast_selection* part,
                                                         size_t count, const char* const* texts);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_strings(onecast_object* dataset,
                                                             const onecast_selection* part,
                                                             size_t count,
                                                             const char* const* texts);
/// @replicated
ONECAST_API onecast_status onecast_dataset_write_equal_strings(onecast_object* dataset,
                                                               const onecast_selection* part,
                                                               size_t count,
                                                               const char* const* texts);

/// A value of a sequence type: `count` elements of its base type, in their stored form.
typedef struct onecast_sequence {
  size_t count;
  const void* elements;  ///< NULL if there are none
} onecast_sequence;

/// Reads sequences. The caller frees the list and its elements with one onecast_free(*sequences);
/// NULL if there are none. The base type must contain its values: strings of variable length,
/// sequences and references are not allowed. @independent
ONECAST_API onecast_status onecast_dataset_read_sequences(const onecast_object* dataset,
                                                          const onecast_selection* part,
                                                          size_t* count,
                                                          onecast_sequence** sequences);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_sequences(const onecast_object* dataset,
                                                              const onecast_selection* part,
                                                              size_t* count,
                                                              onecast_sequence** sequences);
/// @independent
ONECAST_API onecast_status onecast_dataset_write_sequences(onecast_object* dataset,
                                                           const onecast_selection* part,
                                                           size_t count,
                                                           const onecast_sequence* sequences);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_sequences(onecast_object* dataset,
                                                               const onecast_selection* part,
                                                               size_t count,
                                                               const onecast_sequence* sequences);
/// @replicated
ONECAST_API onecast_status onecast_dataset_write_equal_sequences(onecast_object* dataset,
                                                                 const onecast_selection* part,
                                                                 size_t count,
                                                                 const onecast_sequence* sequences);

ONECAST_END_C

#endif
