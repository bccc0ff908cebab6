#ifndef ONECAST_CAPI_RANDOM_ACCESS_FILE_H
#define ONECAST_CAPI_RANDOM_ACCESS_FILE_H

#include "onecast/capi/communicator.h"

ONECAST_BEGIN_C

/// Bytes that a program keeps by other means than a file of the system: in memory, in a store of
/// objects, in a part of something larger. Set all to zeros first, then `size`. Functions return 0,
/// or errno (-1: none fits) if they cannot do their work: then the call of Onecast returns
/// ONECAST_IO, and the error names the object and the function. They must not use the file that
/// they are called for. There is one call at a time for each file that is open, perhaps not always
/// on one thread. See RandomAccessFile in onecast/transport/random_access_file.hpp.
typedef struct onecast_random_access_file {
  size_t size;       ///< sizeof(onecast_random_access_file)
  void* context;     ///< handed to each function
  const char* name;  ///< for errors; other files that it names are looked for from here. Or NULL
  /// Reads into `out`, and sets `got`: fewer bytes than `size` are asked for again, 0 is the end.
  int (*read_at)(void* context, uint64_t offset, void* out, size_t size, size_t* got);
  /// Writes all; behind the end, what lies between becomes zeros. NULL: for reading only.
  int (*write_at)(void* context, uint64_t offset, const void* bytes, size_t size);
  /// How many bytes there are.
  int (*get_size)(void* context, uint64_t* size);
  /// Makes it that many bytes. NULL: for reading only.
  int (*truncate)(void* context, uint64_t size);
  /// With the option `durable`: returns when what was written is safe. NULL: it is.
  int (*sync)(void* context);
  /// NULL, or called when nothing needs the context any more; also if opening fails.
  void (*release)(void* context);
  /// Where a flush saves what it overwrites, or NULL: no journal. See RandomAccessFile::journal.
  const struct onecast_random_access_file* journal;
} onecast_random_access_file;

/// As onecast_file_create, in those bytes, whatever they were. The structs are copied. On several
/// ranks each gives its own, for the same bytes. What is different from a path stands at
/// File::create in onecast/objects/file.hpp.
/// @param communicator NULL: this process alone @collective
ONECAST_API onecast_status onecast_file_create_in(const onecast_random_access_file* bytes,
                                                  const onecast_communicator* communicator,
                                                  const onecast_file_options* options,
                                                  onecast_file** file);
/// As onecast_file_open. @param communicator NULL: this process alone @collective
ONECAST_API onecast_status onecast_file_open_in(const onecast_random_access_file* bytes,
                                                onecast_access access,
                                                const onecast_communicator* communicator,
                                                const onecast_file_options* options,
                                                onecast_file** file);

ONECAST_END_C

#endif
