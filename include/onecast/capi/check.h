#ifndef ONECAST_CAPI_CHECK_H
#define ONECAST_CAPI_CHECK_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

typedef enum onecast_finding_kind ONECAST_AS_INT {
  ONECAST_FINDING_DAMAGE,       ///< bytes that are not allowed, or a checksum that does not fit
  ONECAST_FINDING_OVERLAP,      ///< two structures claim the same bytes
  ONECAST_FINDING_UNSUPPORTED,  ///< valid, but not checked: Onecast does not know it
  ONECAST_FINDING_NOTE          ///< allowed, and worth knowing
} onecast_finding_kind;

#define ONECAST_NO_ADDRESS UINT64_MAX

/// Something that a check found. Texts are empty where there is nothing to say.
typedef struct onecast_finding {
  onecast_finding_kind kind;
  uint64_t address;       ///< in the file, or ONECAST_NO_ADDRESS
  const char* path;       ///< of the object that it belongs to; empty: the file as a whole
  const char* structure;  ///< the specification's title of the record
  const char* field;
  const char* what;
} onecast_finding;

/// What a file consists of; see CheckReport in onecast/check/check.hpp. Sizes in bytes.
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
  int walked;   ///< the root group was found, and all below it looked for
  int damaged;  ///< there is damage, or an overlap
} onecast_check_report;

/// Reads all metadata of a file, verifies it, and goes on behind what is damaged. Errors:
/// NOT_FOUND, IO, FORMAT (there is no HDF5 file at all).
/// @param data not 0: also decodes all chunks, and looks up all values of variable length
/// @param report may be NULL @param size sizeof(onecast_check_report)
/// @param findings the first thousand; they and their texts are given back together by
/// onecast_free(*findings), NULL if there are none; may be NULL, as `count`
/// @independent
ONECAST_API onecast_status onecast_check_file(const char* path, int data,
                                              onecast_check_report* report, size_t size,
                                              size_t* count, onecast_finding** findings);

ONECAST_END_C

#endif
