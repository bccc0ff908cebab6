#ifndef ONECAST_CAPI_FILE_OPTIONS_H
#define ONECAST_CAPI_FILE_OPTIONS_H

/* Made by tools/options.py from src/objects/tree/file_options.toml: change that. */

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

/// Which files that a file names are followed: those of external links, of raw data, and the
/// sources of virtual datasets.
typedef enum onecast_follow_external ONECAST_AS_INT {
  /// No other file.
  ONECAST_FOLLOW_EXTERNAL_NOWHERE,
  /// As HDF5 does: whatever the process may read.
  ONECAST_FOLLOW_EXTERNAL_EVERYWHERE,
  /// In the folder of the file that the program opened and below it, symbolic links resolved.
  ONECAST_FOLLOW_EXTERNAL_FOLDER
} onecast_follow_external;

/// Locks on files, as HDF5 takes them (flock): writers alone, readers together. Of several ranks
/// one locks for all.
typedef enum onecast_locking ONECAST_AS_INT {
  /// A file that cannot be locked is not opened.
  ONECAST_LOCKING_ON,
  /// No lock.
  ONECAST_LOCKING_OFF,
  /// On, but not where the file system has no locks.
  ONECAST_LOCKING_BEST_EFFORT
} onecast_locking;

/// How ranks that read together, or write what all of them have, find out whether they mean the
/// same. An option of a file, and of a call.
typedef enum onecast_sharing ONECAST_AS_INT {
  /// read_all: one small reduction tells; what all ranks want is read by one rank and broadcast,
  /// else each rank reads its own. write_equal: nothing is sent, flush compares.
  ONECAST_SHARING_AUTOMATIC,
  /// All mean the same, and nothing is compared: read_all is one broadcast. A rank that means
  /// something else, or fails where the others do not, makes the program wrong, or hang.
  ONECAST_SHARING_TRUST,
  /// All must mean the same, which one small reduction tells: if a rank does not, all get the error
  /// "diverged", which names the ranks. So does write_equal.
  ONECAST_SHARING_VERIFY,
  /// read_all: ranks that want the same share one read and one broadcast among themselves, whatever
  /// the others want. write_equal: as verify.
  ONECAST_SHARING_SERVE
} onecast_sharing;

/// Which versions of HDF5's structures a file is made of. The file keeps it (see
/// docs/reference/profiles.md).
typedef enum onecast_profile ONECAST_AS_INT {
  /// Every library since HDF5 1.8 reads it.
  ONECAST_PROFILE_COMPATIBLE,
  /// Chunk indexes of HDF5 1.10: smaller, and faster to append to.
  ONECAST_PROFILE_LATEST
} onecast_profile;

/// When metadata is read.
typedef enum onecast_load_policy ONECAST_AS_INT {
  /// Eager for files with a page list and wherever there are several ranks, else lazy.
  ONECAST_LOAD_POLICY_AUTOMATIC,
  /// All of it at open, up to `metadata_budget`.
  ONECAST_LOAD_POLICY_EAGER,
  /// Only what is looked at, by the rank that looks.
  ONECAST_LOAD_POLICY_LAZY
} onecast_load_policy;

/// How read_all and write_all of contiguous data reach the file; other data goes its own way.
typedef enum onecast_method ONECAST_AS_INT {
  /// Chosen for each call, from what all ranks want.
  ONECAST_METHOD_AUTOMATIC,
  /// Each rank for itself, also what all want; nothing but errors is agreed on.
  ONECAST_METHOD_PLAIN,
  /// Each rank for itself, but see `sharing`.
  ONECAST_METHOD_INDEPENDENT,
  /// Ranks that own stripes transfer for all, but see `sharing`.
  ONECAST_METHOD_COLLECTIVE,
  /// What all want, one rank transfers for all; else as collective.
  ONECAST_METHOD_BROADCAST
} onecast_method;

/// A hint as MPI-IO knows them.
typedef struct onecast_hint {
  const char* name;
  const char* value;
} onecast_hint;

/// Options of onecast_file_create and onecast_file_open, the @same on all ranks unless said
/// otherwise. Sizes in bytes; flags are 1 or 0. docs/reference/options.md says more of each.
///
///     onecast_file_options options;
///     onecast_file_options_init(&options, sizeof options);
///     options.durable = 1;
///
/// Later versions may add members at the end: programs compiled before go on to work.
typedef struct onecast_file_options {
  /// Of this struct; set by onecast_file_options_init.
  size_t size;

  /* --- behaviour: what the program sees */

  /// Which other files that the file names are read: by external links, as raw data, as sources of
  /// virtual datasets.
  onecast_follow_external follow_external;
  /// Whether the file is locked (flock, as HDF5 does) against a second writer, and readers against
  /// a writer.
  onecast_locking locking;
  /// flush and close wait until the bytes are on stable storage.
  int durable;
  /// Before a flush overwrites metadata, it saves what was there in PATH.onecast-journal. Leave
  /// alone unless measured.
  int journal;
  /// How ranks find out whether they mean the same, in read_all and write_equal; each call may say
  /// otherwise. Leave alone unless measured.
  onecast_sharing sharing;

  /* --- layout: what lies where in the file */

  /// Which versions of HDF5's structures a new file is made of; the file keeps it. For create only.
  onecast_profile profile;
  /// Size of a stripe of the file system, where the file system does not say it. At most 1 TiB. 0:
  /// 1 MiB, and no wish.
  uint64_t stripe_size;
  /// Number of storage targets over which the file is striped, where the file system does not say
  /// it. 0: not known, and no wish.
  uint32_t stripe_count;
  /// Size of a metadata page of a new file, or of pages that are added to a file without a page
  /// list. 0 or a power of two from 4 KiB to 1 GiB. 0: 4 KiB. Leave alone unless measured.
  uint64_t page_size;
  /// Datasets that are created with at most this size are stored in their header. At most 64,000
  /// bytes. Leave alone unless measured.
  uint64_t compact_limit;
  /// Datasets are stored in their header only while the data of all of these is at most this size.
  /// UINT64_MAX, not given: 16 MiB with a communicator, no limit without. Leave alone unless
  /// measured.
  uint64_t compact_total;
  /// Large contiguous data and large chunks begin at multiples of this in the file; 1: anywhere. At
  /// most 1 TiB. 0: a stripe, if stripes are known; then of chunks only those that fill whole
  /// stripes. Leave alone unless measured.
  uint64_t alignment_interval;
  /// Contiguous data and chunks of this size or more are aligned to `alignment_interval`. 0: the
  /// size of `alignment_interval`. Leave alone unless measured.
  uint64_t alignment_threshold;

  /* --- tuning: the same results by other means */

  /// When metadata is read. For open only.
  onecast_load_policy load_policy;
  /// About this much metadata is brought to every rank at open, and is in memory while writing.
  uint64_t metadata_budget;
  /// Number of threads that one read of a chunked or large dataset may use, the caller's included.
  /// 0: the cores this process may use; 1 on several ranks. Need not be the @same on all ranks.
  uint32_t decode_threads;
  /// Decoded chunks up to this size in all are kept for further reads. Need not be the @same on all
  /// ranks.
  uint64_t chunk_cache_bytes;
  /// Hints as MPI-IO knows them, by name; they set the options that are not given. They are copied.
  size_t hint_count;
  const onecast_hint* hints;
  /// The file is reached through MPI-IO, each process for itself, instead of POSIX calls. Leave
  /// alone unless measured.
  int mpi_io;
  /// How read_all and write_all of contiguous data reach the file (see
  /// docs/reference/collective.md). Leave alone unless measured.
  onecast_method method;
  /// At most this much memory is used on a rank by one collective transfer, besides the caller's. 0
  /// or at least 64 KiB. 0: 16 MiB. Leave alone unless measured.
  uint64_t collective_buffer;
  /// Largest number of ranks that transfer for all. 0: as many as the stripes call for. Leave alone
  /// unless measured.
  uint32_t aggregators;
  /// Up to this number of changed stripes of metadata are written by rank 0; of more, each by the
  /// rank that owns it. UINT64_MAX, not given: 64, but 0 for ranks on several nodes if stripes are
  /// known. Leave alone unless measured.
  uint64_t single_writer_stripes;
  /// Raw data of datasets up to this size comes along with the metadata. For open only. Leave alone
  /// unless measured.
  uint64_t small_data_limit;
} onecast_file_options;

ONECAST_END_C

#endif
