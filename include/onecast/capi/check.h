#ifndef ONECAST_CAPI_CHECK_H
#define ONECAST_CAPI_CHECK_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

typedef enum onecast_finding_kind ONECAST_AS_INT {
  ONECAST_FINDING_DAMAGE,   ///< bytes that the specification does not allow, or a wrong checksum
  ONECAST_FINDING_OVERLAP,  ///< two structures claim the same bytes
  ONECAST_FINDING_UNSUPPORTED,  ///< valid, but not checked, because Onecast does not support it
  ONECAST_FINDING_NOTE          ///< allowed, but worth knowing
} onecast_finding_kind;

#define ONECAST_NO_ADDRESS UINT64_MAX

/// A finding of a check. Texts that do not apply are empty.
typedef struct onecast_finding {
  onecast_finding_kind kind;
  uint64_t address;       ///< in the file, or ONECAST_NO_ADDRESS
  const char* path;       ///< the object concerned; empty: the file as a whole
  const char* structure;  ///< the specification's title of the record
  const char* field;
  const char* what;
} onecast_finding;

/// The use of the bytes of a file; see CheckReport in onecast/check/check.hpp. Sizes are in bytes.
typedef struct onecast_check_report {
  uint64_t file_size;
  uint64_t user_block;
  uint64_t end_of_file;
  uint64_t metadata_bytes;
  uint64_t raw_data_bytes;
  uint64_t compact_bytes;
  uint64_t free_bytes;
  uint64_t unaccounted_bytes;
  uint64_t metadata_pieces;
  unsigned superblock_version;
  int walked;   ///< 1: the root group was found and everything below it was visited
  int damaged;  ///< 1: there is damage or an overlap
} onecast_check_report;

/// Reads and verifies all metadata of a file, and continues after damage. Errors: NOT_FOUND, IO,
/// FORMAT (not an HDF5 file).
/// @param data not 0: also decodes all chunks and looks up all values of variable length
/// @param report may be NULL
/// @param size sizeof(onecast_check_report)
/// @param count may be NULL
/// @param findings NULL, or set to the first thousand findings; the caller frees them and their
/// texts with one onecast_free(*findings); NULL if there are none @independent
ONECAST_API onecast_status onecast_check_file(const char* path, int data,
                                              onecast_check_report* report, size_t size,
                                              size_t* count, onecast_finding** findings);

ONECAST_END_C

#endif
