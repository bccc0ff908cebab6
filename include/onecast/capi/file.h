#ifndef ONECAST_CAPI_FILE_H
#define ONECAST_CAPI_FILE_H

#include "onecast/capi/file_options.h"
#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// An HDF5 file, open on one process or on all processes of a communicator (onecast_mpi.h).
typedef struct onecast_file onecast_file;
/// A group, a dataset or a committed datatype; see object.h.
typedef struct onecast_object onecast_object;

/// The access with which an existing file is opened. A new file is always open for reading and
/// writing.
typedef enum onecast_access ONECAST_AS_INT { ONECAST_READ_ONLY, ONECAST_READ_WRITE } onecast_access;

/// Sets all options to their defaults. @param size sizeof(onecast_file_options) @independent
ONECAST_API onecast_status onecast_file_options_init(onecast_file_options* options, size_t size);

/// Creates an empty file on this process alone. An existing file of that name is unlinked first.
/// The file becomes valid HDF5 with its first flush. Errors: IO, INVALID_ARGUMENT (options).
/// @param options NULL: the defaults @independent
ONECAST_API onecast_status onecast_file_create(const char* path,
                                               const onecast_file_options* options,
                                               onecast_file** file);
/// Opens a file on this process alone. Errors: NOT_FOUND, IO, FORMAT (not HDF5, or damaged),
/// UNSUPPORTED, INVALID_ARGUMENT. @param options NULL: the defaults @independent
ONECAST_API onecast_status onecast_file_open(const char* path, onecast_access access,
                                             const onecast_file_options* options,
                                             onecast_file** file);
/// Flushes and closes the file, and releases the handle. A file without changes is not written. If
/// the flush fails, the function still closes the file, and returns the error of the flush. Handles
/// of objects must be closed separately; calls that need the closed file return ONECAST_STATE.
/// After MPI_Finalize, a file open for writing is closed without a flush, and the function returns
/// ONECAST_STATE. @collective for files open for writing, else @independent
ONECAST_API onecast_status onecast_file_close(onecast_file** file);
/// Closes the file without a flush, for a rank that cannot continue. The changes since the last
/// flush are lost on all ranks. The call waits for no other rank. The next collective call of the
/// other ranks, whichever it is, fails with DIVERGED on all of them; its text gives the number of
/// this rank and the `reason`. So do all further collective calls except close, which closes the
/// file. Onecast prints no warning on stderr; it does so only for a file that is never closed.
/// @param reason NULL: none @independent
ONECAST_API void onecast_file_abandon(onecast_file** file, const char* reason);

/// Writes all changes to the file. Errors, on all ranks or on none: DIVERGED (ranks made different
/// calls; the text names the first), IO (the flush can be tried again), STATE (open for reading
/// only). After an error the metadata in the file is that of the last successful flush. @collective
ONECAST_API onecast_status onecast_file_flush(onecast_file* file);
/// Begins to write for readers in other processes, which look at the file meanwhile (HDF5's SWMR),
/// until close. Flushes first. From then on each flush writes what changed in an order in which no
/// reader sees a part of it before what it refers to. Elements, shapes and attributes can change;
/// objects and links cannot be created or removed (STATE). There is no journal: if the process is
/// killed, the file is sound, and onecast_file_recover clears its mark. Errors: STATE (open for
/// reading only, in an independent section, or begun already), UNSUPPORTED (another profile than
/// latest, several ranks), and those of onecast_file_flush. @collective
ONECAST_API onecast_status onecast_file_start_swmr(onecast_file* file);
/// Sets `is_swmr` to 1 after onecast_file_start_swmr, else to 0. @independent
ONECAST_API onecast_status onecast_file_is_swmr(const onecast_file* file, int* is_swmr);
/// Sees what another program has written since the file was opened with the option follow, or since
/// the last refresh, of all objects. Does nothing without the option. No other thread may use the
/// file meanwhile. Errors: IO, FORMAT. @independent
ONECAST_API onecast_status onecast_file_refresh(onecast_file* file);
/// Gives up all structural changes since the last flush, or since the file was created, so that the
/// ranks can go on after DIVERGED. Elements that were written in place stay. Handles stay valid;
/// calls with handles of objects that were created since then return STATE. Errors: STATE (open for
/// reading only, in an independent section), IO, DIVERGED (a rank left, or called something else).
/// @collective
ONECAST_API onecast_status onecast_file_rollback(onecast_file* file);

/// Returns the root group. @independent
ONECAST_API onecast_status onecast_file_root(onecast_file* file, onecast_object** root);
/// Returns the path that was passed to create or open. It is valid as long as `file`. @independent
ONECAST_API onecast_status onecast_file_path(const onecast_file* file, const char** path);
/// @independent
ONECAST_API onecast_status onecast_file_get_access(const onecast_file* file,
                                                   onecast_access* access);
/// @independent
ONECAST_API onecast_status onecast_file_get_profile(const onecast_file* file,
                                                    onecast_profile* profile);
/// Returns this process's rank in the file's communicator and the number of ranks; 0 and 1 without
/// a communicator. Either pointer may be NULL. @independent
ONECAST_API onecast_status onecast_file_get_ranks(const onecast_file* file, int* rank, int* size);

/// Begin and end an independent section, in which this rank creates groups, datasets, committed
/// datatypes, links and attributes without the other ranks; calls that create are @independent in
/// it. The next flush, in the section or after it, merges what all ranks created. If two ranks
/// create the same name, that flush fails with ONECAST_DIVERGED, except for groups
/// (onecast_group_require). Data of new objects waits for the flush in memory, and beyond 64 MiB in
/// a temporary file in the folder of this file. See docs/guide/mpi.md. Sections may be nested. An
/// end without a begin returns ONECAST_STATE. @independent
ONECAST_API onecast_status onecast_file_independent_begin(onecast_file* file);
ONECAST_API onecast_status onecast_file_independent_end(onecast_file* file);

/// Brings the metadata of the object at `path` and, if `recursive` is not 0, of all objects below
/// it to all ranks. @collective @same
ONECAST_API onecast_status onecast_file_prefetch_all(onecast_file* file, const char* path,
                                                     int recursive);
/// Adds a page list, with the next flush, to a file that another program wrote. Several ranks can
/// then open the file without a walk over its objects. @param had_none NULL, or set to 1 if the
/// file had no valid page list @replicated
ONECAST_API onecast_status onecast_file_adopt(onecast_file* file, int* had_none);

/// Describes the last collective transfer of this file in one line: the method, the reason for it,
/// and counts. The caller frees the text with onecast_free. @independent
ONECAST_API onecast_status onecast_file_explain(const onecast_file* file, char** text);
/// Returns the names of the hints that Onecast does not know. The caller frees all of them with one
/// onecast_free(*names). @independent
ONECAST_API onecast_status onecast_file_unused_hints(const onecast_file* file, size_t* count,
                                                     char*** names);

/// The state in which onecast_file_recover found the file.
typedef enum onecast_recovered ONECAST_AS_INT {
  ONECAST_RECOVERED_NOTHING,   ///< no flush was in progress
  ONECAST_RECOVERED_COMPLETE,  ///< a flush was complete, or had not begun
  ONECAST_RECOVERED_UNDONE,    ///< a flush was half done and has been undone
  ONECAST_RECOVERED_UNMARKED   ///< it was written for readers (SWMR); the mark has been cleared
} onecast_recovered;
/// Undoes a flush during which the process was killed, as an open for writing does. Also clears the
/// mark of a file that was written for readers (SWMR) and not closed. Errors:
/// NOT_FOUND, IO (also if the file is open elsewhere), FORMAT (half written, and no journal fits).
/// @param recovered may be NULL @independent
ONECAST_API onecast_status onecast_file_recover(const char* path, onecast_locking locking,
                                                onecast_recovered* recovered);

/// The calls that this process made to the file system and the network for the file, and the time
/// that they took; see IoStats in onecast/transport/io_stats.hpp.
typedef struct onecast_io_stats {
  uint64_t opens;
  uint64_t reads;
  uint64_t bytes_read;
  uint64_t writes;
  uint64_t bytes_written;
  uint64_t syncs;
  uint64_t collectives;
  uint64_t file_nanoseconds;
  uint64_t exchange_nanoseconds;
  uint64_t shared_bytes;
} onecast_io_stats;
/// @param size sizeof(onecast_io_stats) @independent
ONECAST_API onecast_status onecast_file_io_stats(const onecast_file* file, onecast_io_stats* stats,
                                                 size_t size);

/// A report on the metadata of the file, as far as this rank knows it; see MetadataReport in
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
  uint64_t objects_in_memory;  ///< decoded objects
  uint64_t memory_bytes;       ///< metadata in memory, as in the file and decoded
  uint64_t most_memory_bytes;  ///< the largest value of memory_bytes, also during flushes
  uint64_t stripe_size;        ///< 0: a file system without stripes
  uint64_t free_bytes;         ///< free space that the page list knows
} onecast_metadata_report;
/// @param size sizeof(onecast_metadata_report) @independent
ONECAST_API onecast_status onecast_file_metadata_report(const onecast_file* file,
                                                        onecast_metadata_report* report,
                                                        size_t size);

ONECAST_END_C

#endif
