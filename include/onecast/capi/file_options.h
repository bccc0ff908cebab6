#ifndef ONECAST_CAPI_FILE_OPTIONS_H
#define ONECAST_CAPI_FILE_OPTIONS_H

/* Made by tools/options.py from src/objects/files/file_options.toml: change that. */

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// The other files that Onecast reads if a file names them: targets of external links, files of raw
/// data, and sources of virtual datasets.
typedef enum onecast_follow_external ONECAST_AS_INT {
  /// No other file.
  ONECAST_FOLLOW_EXTERNAL_NOWHERE,
  /// Everything that the process may read, as in HDF5.
  ONECAST_FOLLOW_EXTERNAL_EVERYWHERE,
  /// Files in and below the folder of the file that the program opened, symbolic links resolved.
  ONECAST_FOLLOW_EXTERNAL_FOLDER
} onecast_follow_external;

/// Locks on files, as in HDF5 (flock): one writer, or any number of readers. One rank locks the
/// file for all ranks.
typedef enum onecast_locking ONECAST_AS_INT {
  /// Lock; a file that cannot be locked is not opened.
  ONECAST_LOCKING_ON,
  /// No lock.
  ONECAST_LOCKING_OFF,
  /// Like on, but no lock if the file system has none.
  ONECAST_LOCKING_BEST_EFFORT
} onecast_locking;

/// The way in which ranks find out whether they pass equal arguments to read_all and write_equal.
/// An option of a file and of a call.
typedef enum onecast_sharing ONECAST_AS_INT {
  /// read_all: one small reduction compares; a part that all ranks want is read by one rank and
  /// broadcast, otherwise each rank reads its own. write_equal: no message is sent, flush compares.
  ONECAST_SHARING_AUTOMATIC,
  /// Nothing is compared: read_all is one broadcast. If a rank passes other arguments, or fails
  /// where the others do not, results are wrong or the program hangs.
  ONECAST_SHARING_TRUST,
  /// One small reduction compares, in read_all and write_equal; if a rank passes other arguments,
  /// all ranks get the error "diverged", which names the ranks.
  ONECAST_SHARING_VERIFY,
  /// read_all: ranks that want one part share one read and one broadcast, whatever the other ranks
  /// want. write_equal: as verify.
  ONECAST_SHARING_SERVE
} onecast_sharing;

/// The versions of HDF5 structures in a file. A file keeps its profile (see
/// docs/reference/profiles.md).
typedef enum onecast_profile ONECAST_AS_INT {
  /// Readable by every library since HDF5 1.8.
  ONECAST_PROFILE_COMPATIBLE,
  /// Uses the chunk indexes of HDF5 1.10, which are smaller and faster to append to.
  ONECAST_PROFILE_LATEST
} onecast_profile;

/// The orders of creation that the root group of a new file tracks, and in which it is listed.
typedef enum onecast_track_order ONECAST_AS_INT {
  /// Links and attributes are listed by name.
  ONECAST_TRACK_ORDER_NOTHING,
  /// Links; attributes are listed by name.
  ONECAST_TRACK_ORDER_LINKS,
  /// Both.
  ONECAST_TRACK_ORDER_LINKS_AND_ATTRIBUTES
} onecast_track_order;

/// The time at which metadata is read.
typedef enum onecast_load_policy ONECAST_AS_INT {
  /// Eager with several ranks, and for files with a page list and at most 2 MiB of metadata; else
  /// lazy.
  ONECAST_LOAD_POLICY_AUTOMATIC,
  /// All metadata at open, up to `metadata_budget`.
  ONECAST_LOAD_POLICY_EAGER,
  /// Each rank reads the metadata that it looks up.
  ONECAST_LOAD_POLICY_LAZY
} onecast_load_policy;

/// The method of read_all and write_all for contiguous data. Other data has methods of its own.
typedef enum onecast_method ONECAST_AS_INT {
  /// Chosen for each call, from the requests of all ranks.
  ONECAST_METHOD_AUTOMATIC,
  /// Each rank transfers its own part, even if all ranks want one part; ranks agree on errors only.
  ONECAST_METHOD_PLAIN,
  /// Each rank transfers its own part, but see `sharing`.
  ONECAST_METHOD_INDEPENDENT,
  /// Stripe owners transfer for all ranks, but see `sharing`.
  ONECAST_METHOD_COLLECTIVE,
  /// One rank transfers a part that all ranks want; otherwise as collective.
  ONECAST_METHOD_BROADCAST
} onecast_method;

/// The way of data between a file and memory of a device (a GPU).
typedef enum onecast_device_io ONECAST_AS_INT {
  /// Data goes directly where the system has NVIDIA's GPUDirect Storage, and the data and the file
  /// allow it; otherwise it is staged.
  ONECAST_DEVICE_IO_AUTOMATIC,
  /// Data goes through memory of the process, which the device copies while the file is read or
  /// written.
  ONECAST_DEVICE_IO_STAGED,
  /// Data goes by NVIDIA's cuFile. If it does not transfer a part that is large enough, the call
  /// fails and says why. What ranks exchange is sent from memory of the device, if the MPI says
  /// that it can.
  ONECAST_DEVICE_IO_DIRECT
} onecast_device_io;

/// A hint of MPI-IO.
typedef struct onecast_hint {
  const char* name;
  const char* value;
} onecast_hint;

/// Options of onecast_file_create and onecast_file_open. They are the @same on all ranks unless
/// said otherwise. Sizes in bytes; flags are 1 or 0. docs/reference/options.md describes each in
/// full.
///
///     onecast_file_options options;
///     onecast_file_options_init(&options, sizeof options);
///     options.durable = 1;
///
/// Later versions may add members at the end. Programs compiled before then still work.
typedef struct onecast_file_options {
  /// The size of this struct; set by onecast_file_options_init.
  size_t size;

  /* --- behaviour: what the program sees */

  /// The other files that Onecast reads if the file names them: targets of external links, files of
  /// raw data, and sources of virtual datasets.
  onecast_follow_external follow_external;
  /// Lock the file (flock, as in HDF5) against a second writer, and against a writer while it is
  /// read.
  onecast_locking locking;
  /// flush and close return when the bytes are on stable storage.
  int durable;
  /// Before a flush overwrites metadata, it saves the old bytes in PATH.onecast-journal. Leave
  /// alone unless measured.
  int journal;
  /// An existing file is an error and is not replaced. For create only.
  int exclusive;
  /// Follow a writer of the file: refresh() shows what it has written since. For open only.
  int follow;
  /// The way in which ranks find out whether they pass equal arguments to read_all and write_equal;
  /// a call may choose another value. Leave alone unless measured.
  onecast_sharing sharing;

  /* --- layout: what lies where in the file */

  /// The versions of HDF5 structures in a new file; the file keeps its profile. For create only.
  onecast_profile profile;
  /// The orders of creation that the root group of a new file tracks, and in which it is listed.
  /// For create only.
  onecast_track_order track_order;
  /// The root group of a new file has the times of its creation and of its last change. For create
  /// only.
  int track_times;
  /// Size of the user block of a new file: bytes before the HDF5 file, which belong to the program.
  /// Onecast leaves them unwritten. 0 or a power of two from 512 bytes to
  /// 18,446,744,073,709,551,615 bytes. 0: none. For create only.
  uint64_t userblock_size;
  /// Stripe size, if the file system does not report one. At most 1 TiB. 0: 1 MiB, and no request.
  uint64_t stripe_size;
  /// Number of storage targets of the file, if the file system does not report one. 0: unknown, and
  /// no request.
  uint32_t stripe_count;
  /// Bytes at the start of a new file that are for metadata only. At most 1 TiB. 0: none. For
  /// create only.
  uint64_t metadata_reserve;
  /// Size of the metadata pages of a new file, or of pages that are added to a file without a page
  /// list. 0 or a power of two from 4 KiB to 1 GiB. 0: 4 KiB. Leave alone unless measured.
  uint64_t page_size;
  /// Largest size of a new dataset that is compact by default (stored in its header); 0: none. At
  /// most 64,000 bytes. Leave alone unless measured.
  uint64_t compact_limit;
  /// Largest total size of the datasets that are compact by default. UINT64_MAX, not given: 16 MiB
  /// with a communicator, no limit without one. Leave alone unless measured.
  uint64_t compact_total;
  /// Large contiguous data and large chunks begin at multiples of this size in the file; 1:
  /// anywhere. At most 1 TiB. 0: the stripe size, if stripes are known; then only chunks that fill
  /// whole stripes are aligned. Leave alone unless measured.
  uint64_t alignment_interval;
  /// Smallest size of contiguous data and chunks that are aligned to `alignment_interval`. 0: the
  /// size of `alignment_interval`. Leave alone unless measured.
  uint64_t alignment_threshold;

  /* --- tuning: the same results by other means */

  /// The time at which metadata is read. For open only.
  onecast_load_policy load_policy;
  /// The approximate amount of metadata that an open brings to every rank, and that a file open for
  /// writing keeps in memory.
  uint64_t metadata_budget;
  /// Number of threads that one read of a chunked or large dataset may use, including the caller's.
  /// 0: the number of cores that this process may use; 1 with several ranks. Need not be the @same
  /// on all ranks.
  uint32_t decode_threads;
  /// Total size of chunks that are kept for further reads: filtered chunks in decoded form, others
  /// as stored. Need not be the @same on all ranks.
  uint64_t chunk_cache_bytes;
  /// Hints of MPI-IO, by name; they set options that are not given. They are copied.
  size_t hint_count;
  const onecast_hint* hints;
  /// Use independent MPI-IO operations instead of POSIX calls for file access. Leave alone unless
  /// measured.
  int mpi_io;
  /// The method of read_all and write_all for contiguous data (see docs/reference/collective.md).
  /// Leave alone unless measured.
  onecast_method method;
  /// The way of data between the file and memory of a device (see docs/how-to/gpu.md). Leave alone
  /// unless measured.
  onecast_device_io device_io;
  /// Largest amount of memory that one collective transfer uses on a rank, in addition to the
  /// caller's. 0 or at least 64 KiB. 0: 16 MiB. Leave alone unless measured.
  uint64_t collective_buffer;
  /// Largest number of ranks that transfer for all ranks. 0: as many as the stripes require. Leave
  /// alone unless measured.
  uint32_t aggregators;
  /// Largest number of stripes with changed metadata that rank 0 writes for all ranks; with more,
  /// each stripe is written by its owner. UINT64_MAX, not given: 64, but 0 if stripes are known and
  /// the ranks are on several nodes. Leave alone unless measured.
  uint64_t single_writer_stripes;
  /// Largest size of a dataset whose raw data is read with the metadata. For open only. Leave alone
  /// unless measured.
  uint64_t small_data_limit;
} onecast_file_options;

ONECAST_END_C

#endif
