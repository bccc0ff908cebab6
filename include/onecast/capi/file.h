#ifndef ONECAST_CAPI_FILE_H
#define ONECAST_CAPI_FILE_H

#include "onecast/capi/file_options.h"
#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// An HDF5 file, open on one process or on all processes of a communicator (onecast_mpi.h).
typedef struct onecast_file onecast_file;
/// A group, a dataset or a committed datatype; see object.h.
typedef struct onecast_object onecast_object;

/// Read-write is for files that exist; a new file is always open for both.
typedef enum onecast_access ONECAST_AS_INT { ONECAST_READ_ONLY, ONECAST_READ_WRITE } onecast_access;

/// The defaults. @param size sizeof(onecast_file_options) @independent
ONECAST_API onecast_status onecast_file_options_init(onecast_file_options* options, size_t size);

/// A new, empty file on this process alone; a file of that name is unlinked first. It becomes valid
/// HDF5 with its first flush. Errors: IO, INVALID_ARGUMENT (options).
/// @param options NULL: the defaults
ONECAST_API onecast_status onecast_file_create(const char* path,
                                               const onecast_file_options* options,
                                               onecast_file** file);
/// Opens a file on this process alone. Errors: NOT_FOUND, IO, FORMAT (not HDF5, damaged),
/// UNSUPPORTED, INVALID_ARGUMENT. @param options NULL: the defaults
ONECAST_API onecast_status onecast_file_open(const char* path, onecast_access access,
                                             const onecast_file_options* options,
                                             onecast_file** file);
/// Flushes and closes, and gives the handle back. An unmodified file is not written to. It closes
/// also if the flush fails, whose error it returns. Handles of objects are to be closed as well;
/// what needs the file is ONECAST_STATE then. Once MPI is finalized a file open for writing is
/// closed without a flush, with ONECAST_STATE. @collective for files open for writing, else
/// @independent
ONECAST_API onecast_status onecast_file_close(onecast_file** file);
/// Closes without a flush, for a rank that cannot go on: what was changed since the last flush is
/// given up, on all ranks, and nothing warns of it; of a file that the program never closes a line
/// on stderr does. The next collective call of the others, whatever it is, fails with DIVERGED on
/// all of them, which tells this rank's number and the `reason`; and so does each further one but
/// close, which closes. Waits for nobody. @param reason NULL: none is told
/// @independent
ONECAST_API void onecast_file_abandon(onecast_file** file, const char* reason);

/// Writes what changed. Errors, on all ranks or none: DIVERGED (ranks made different calls; names
/// the first), IO (can be tried again), STATE (open for reading only). After an error the metadata
/// in the file is as the last flush left it. @collective
ONECAST_API onecast_status onecast_file_flush(onecast_file* file);

/// The root group. @independent
ONECAST_API onecast_status onecast_file_root(onecast_file* file, onecast_object** root);
/// Lives as long as `file`. @independent
ONECAST_API onecast_status onecast_file_path(const onecast_file* file, const char** path);
/// @independent
ONECAST_API onecast_status onecast_file_get_access(const onecast_file* file,
                                                   onecast_access* access);
/// @independent
ONECAST_API onecast_status onecast_file_get_profile(const onecast_file* file,
                                                    onecast_profile* profile);
/// Of the file's communicator; 0 and 1 on one process. Either may be NULL. @independent
ONECAST_API onecast_status onecast_file_get_ranks(const onecast_file* file, int* rank, int* size);

/// From begin to end this rank creates groups, datasets, committed datatypes, links and attributes
/// of its own, without the others; calls that create are @independent then. The next flush, inside
/// or after, merges the parts of all ranks. What two ranks name alike is an error of that flush
/// (ONECAST_DIVERGED), but for groups (onecast_group_require). Data waits for it, beyond 64 MiB in
/// a temporary file in the folder of this one. See docs/guide/mpi.md. Blocks may be nested. An end
/// without a begin is ONECAST_STATE. @independent
ONECAST_API onecast_status onecast_file_independent_begin(onecast_file* file);
ONECAST_API onecast_status onecast_file_independent_end(onecast_file* file);

/// Brings the metadata of the object at `path`, and if `recursive` of all below, to all ranks.
/// @collective @same
ONECAST_API onecast_status onecast_file_prefetch_all(onecast_file* file, const char* path,
                                                     int recursive);
/// A file that another program wrote gets a page list with the next flush, so that several ranks
/// open it without a walk over its objects. @param had_none NULL, or set to 1 if there was none
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_file_adopt(onecast_file* file, int* had_none);

/// What the last read_all or write_all did: one line for people, with the method, why it was taken,
/// and counts. To be given back by onecast_free. @independent
ONECAST_API onecast_status onecast_file_explain(const onecast_file* file, char** text);
/// Names of the hints that mean nothing here; to be given back together by onecast_free(*names).
/// @independent
ONECAST_API onecast_status onecast_file_unused_hints(const onecast_file* file, size_t* count,
                                                     char*** names);

/// What onecast_file_recover found.
typedef enum onecast_recovered ONECAST_AS_INT {
  ONECAST_RECOVERED_NOTHING,   ///< no flush was under way
  ONECAST_RECOVERED_COMPLETE,  ///< a flush was done, or not begun
  ONECAST_RECOVERED_UNDONE     ///< a flush was half done; the file is as before it now
} onecast_recovered;
/// Undoes the flush of a process that was killed in the middle, as open for writing does. Errors:
/// NOT_FOUND, IO (also if it is open elsewhere), FORMAT (half written, and no journal fits).
/// @param recovered may be NULL @independent
ONECAST_API onecast_status onecast_file_recover(const char* path, onecast_locking locking,
                                                onecast_recovered* recovered);

/// What this process did to the file system and the network on behalf of the file, in exact counts.
typedef struct onecast_io_stats {
  uint64_t opens;
  uint64_t reads;
  uint64_t bytes_read;
  uint64_t writes;
  uint64_t bytes_written;
  uint64_t syncs;
  uint64_t collectives;
} onecast_io_stats;
/// @param size sizeof(onecast_io_stats) @independent
ONECAST_API onecast_status onecast_file_io_stats(const onecast_file* file, onecast_io_stats* stats,
                                                 size_t size);

/// How the metadata of the file lies, as far as this rank knows it; see MetadataReport in
/// onecast/objects/file.hpp.
typedef struct onecast_metadata_report {
  uint64_t file_size;
  uint64_t metadata_bytes;
  uint64_t small_data_bytes;
  uint64_t pieces;
  uint64_t page_size;
  uint64_t pages;
  uint64_t page_runs;
  uint64_t extents;
  uint64_t stripes_touched;
  uint64_t reads_to_open;
  int page_list_stale;
  int complete;
  uint64_t objects_in_memory;  ///< decoded
  uint64_t memory_bytes;       ///< of metadata in memory, as in the file and decoded
  uint64_t most_memory_bytes;  ///< the most that this came to, in flushes as well
} onecast_metadata_report;
/// @param size sizeof(onecast_metadata_report) @independent
ONECAST_API onecast_status onecast_file_metadata_report(const onecast_file* file,
                                                        onecast_metadata_report* report,
                                                        size_t size);

ONECAST_END_C

#endif
