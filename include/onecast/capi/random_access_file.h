#ifndef ONECAST_CAPI_RANDOM_ACCESS_FILE_H
#define ONECAST_CAPI_RANDOM_ACCESS_FILE_H

#include "onecast/capi/communicator.h"

ONECAST_BEGIN_C

/// Bytes that a program keeps in something other than a file: in memory, in an object store, in a
/// part of a larger file. Set the struct to zeros first, then set `size`. A function returns 0 on
/// success, else an errno value or -1 if none fits; the call of Onecast then returns ONECAST_IO,
/// and its text names the object and the function. The functions must not use the HDF5 file for
/// which they are called. Onecast makes one call at a time for each open file, possibly on
/// different threads. See RandomAccessFile in onecast/transport/random_access_file.hpp.
typedef struct onecast_random_access_file {
  size_t size;       ///< sizeof(onecast_random_access_file)
  void* context;     ///< passed to each function
  const char* name;  ///< used in errors, and to find files that the HDF5 file names; may be NULL
  /// Reads up to `size` bytes into `out` and sets `got` to their number. If there are fewer than
  /// `size`, Onecast calls again for the rest; 0 means the end.
  int (*read_at)(void* context, uint64_t offset, void* out, size_t size, size_t* got);
  /// Writes all bytes. If `offset` is behind the end, the bytes between become zeros. NULL: the
  /// bytes are for reading only.
  int (*write_at)(void* context, uint64_t offset, const void* bytes, size_t size);
  /// Returns the number of bytes.
  int (*get_size)(void* context, uint64_t* size);
  /// Sets the number of bytes. NULL: the bytes are for reading only.
  int (*truncate)(void* context, uint64_t size);
  /// Called with the option `durable`: returns when all written bytes are on stable storage. NULL:
  /// they always are.
  int (*sync)(void* context);
  /// NULL, or called when the context is no longer needed, also if the open fails.
  void (*release)(void* context);
  /// The object in which a flush saves the bytes that it overwrites; NULL: no journal. See
  /// RandomAccessFile::journal.
  const struct onecast_random_access_file* journal;
} onecast_random_access_file;

/// Creates a file in these bytes and discards their contents; otherwise like onecast_file_create.
/// The structs are copied. With several ranks, each passes its own struct for the same bytes.
/// File::create in onecast/objects/file.hpp lists the differences from a path.
/// @param communicator NULL: this process alone @collective
ONECAST_API onecast_status onecast_file_create_in(const onecast_random_access_file* bytes,
                                                  const onecast_communicator* communicator,
                                                  const onecast_file_options* options,
                                                  onecast_file** file);
/// Opens a file in these bytes; otherwise like onecast_file_open. @param communicator NULL: this
/// process alone @collective
ONECAST_API onecast_status onecast_file_open_in(const onecast_random_access_file* bytes,
                                                onecast_access access,
                                                const onecast_communicator* communicator,
                                                const onecast_file_options* options,
                                                onecast_file** file);

ONECAST_END_C

#endif
