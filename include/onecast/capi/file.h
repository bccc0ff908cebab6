#ifndef ONECAST_CAPI_FILE_H
#define ONECAST_CAPI_FILE_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// An HDF5 file, open on one process or on all processes of a communicator (onecast_mpi.h).
typedef struct onecast_file onecast_file;
/// A group, a dataset or a committed datatype; see object.h.
typedef struct onecast_object onecast_object;

/// Read-write is for files that exist; a new file is always open for both.
typedef enum onecast_access ONECAST_AS_INT { ONECAST_READ_ONLY, ONECAST_READ_WRITE } onecast_access;

/// When metadata that open has not brought yet is read.
typedef enum onecast_load_policy ONECAST_AS_INT {
  ONECAST_LOAD_AUTOMATIC,  ///< eager for files of Onecast and on several ranks, else lazy
  ONECAST_LOAD_EAGER,      ///< all of it at open, up to the budget
  ONECAST_LOAD_LAZY        ///< only what is looked at
} onecast_load_policy;

/// Locks on files, as HDF5 takes them.
typedef enum onecast_locking ONECAST_AS_INT {
  ONECAST_LOCKING_ON,
  ONECAST_LOCKING_OFF,
  ONECAST_LOCKING_BEST_EFFORT  ///< on, but not where the file system has no locks
} onecast_locking;

/// Which files that a file names are followed: by external links, as raw data, as virtual sources.
typedef enum onecast_follow_external ONECAST_AS_INT {
  ONECAST_FOLLOW_NOWHERE,
  ONECAST_FOLLOW_EVERYWHERE,  ///< whatever the process may read, as HDF5 does
  ONECAST_FOLLOW_FOLDER       ///< in and below the folder of the file, symbolic links resolved
} onecast_follow_external;

/// Which versions of HDF5's structures a new file is made of.
typedef enum onecast_profile ONECAST_AS_INT {
  ONECAST_PROFILE_COMPATIBLE,  ///< every library since HDF5 1.8 reads it
  ONECAST_PROFILE_LATEST       ///< chunk indexes of HDF5 1.10: smaller, faster to append to
} onecast_profile;

/// How ranks that read together, or write what all of them have, find out whether they mean the
/// same; see onecast/objects/sharing.hpp.
typedef enum onecast_sharing ONECAST_AS_INT {
  ONECAST_SHARING_AUTOMATIC,  ///< read_all: one small reduction tells. write_equal: flush compares
  ONECAST_SHARING_TRUST,   ///< nothing is compared: a rank that differs, or fails alone, may hang
  ONECAST_SHARING_VERIFY,  ///< ranks that differ get ONECAST_DIVERGED
  ONECAST_SHARING_SERVE    ///< ranks that want the same share one read, whatever others want
} onecast_sharing;

/// How read_all and write_all of contiguous data reach the file; see docs/reference/collective.md.
typedef enum onecast_method ONECAST_AS_INT {
  ONECAST_METHOD_AUTOMATIC,    ///< chosen for each call, from what all ranks want
  ONECAST_METHOD_PLAIN,        ///< each rank for itself, also what all want
  ONECAST_METHOD_INDEPENDENT,  ///< each rank for itself, but see onecast_sharing
  ONECAST_METHOD_COLLECTIVE,   ///< ranks that own stripes transfer for all, but see onecast_sharing
  ONECAST_METHOD_BROADCAST     ///< what all want, one rank transfers for all; else as collective
} onecast_method;

/// A hint as MPI-IO knows them.
typedef struct onecast_hint {
  const char* name;
  const char* value;
} onecast_hint;

/// Options of open and create, @same on all ranks but for `decode_threads` and `chunk_cache_bytes`.
/// Sizes in bytes; flags are 1 or 0. What each is for tells FileOptions in
/// onecast/objects/file.hpp, which has the same names.
///
///     onecast_file_options options;
///     onecast_file_options_init(&options, sizeof options);
///     options.durable = 1;
///
/// Later versions may add members at the end: programs compiled before go on to work.
typedef struct onecast_file_options {
  size_t size;         ///< of this struct; set by onecast_file_options_init
  uint64_t page_size;  ///< of metadata pages; 0: 4 KiB
  onecast_profile profile;
  uint64_t compact_limit;    ///< smaller datasets are stored in their header; at most 64,000
  uint64_t metadata_budget;  ///< in memory, at open and while writing; see FileOptions
  uint64_t small_data_limit;
  onecast_load_policy load_policy;
  onecast_follow_external follow_external;  ///< which files that a file names are read
  uint64_t stripe_size;            ///< of the file system, in bytes; 0: as it says, else 1 MiB
  uint64_t single_writer_stripes;  ///< UINT64_MAX: chosen
  int durable;                     ///< flush and close wait until the bytes are on stable storage
  int journal;                     ///< a flush that is killed can be undone
  int mpi_io;                      ///< reach the file through MPI-IO
  onecast_locking locking;
  unsigned decode_threads;
  uint64_t chunk_cache_bytes;
  onecast_sharing sharing;  ///< of read_all and write_equal
  uint64_t alignment_threshold;
  uint64_t alignment_interval;
  uint32_t stripe_count;  ///< a new file is striped so, where the file system takes such wishes
  onecast_method method;  ///< of read_all and write_all
  uint64_t collective_buffer;  ///< of one collective transfer on one rank; 0: 16 MiB
  uint32_t aggregators;  ///< so many ranks transfer for all at most; 0: as many as stripes call for
  size_t hint_count;
  const onecast_hint* hints;  ///< they set the options that are not given; copied
  uint64_t compact_total;  ///< so much data lies in headers at most; UINT64_MAX: 16 MiB on several
                           ///< processes, else no limit
} onecast_file_options;

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
/// (ONECAST_DIVERGED), but for groups (onecast_group_require). See docs/guide/mpi.md. Blocks may be
/// nested. An end without a begin is ONECAST_STATE. @independent
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
