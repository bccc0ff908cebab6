/* What the preloaded library libiocount.so counts, and how a program asks for it.
 * Shared by the library (C) and by every measured program (C or C++). */
#ifndef ONECAST_BENCH_IOCOUNT_H
#define ONECAST_BENCH_IOCOUNT_H

#include <stdint.h>

/* File operations on paths that begin with $IOCOUNT_PREFIX, then messages. */
#define IOCOUNT_FIELDS(X)                                                        \
  X(opens) /* open, openat, creat, failed calls included            */           \
  X(reads) /* read, pread, readv, preadv, preadv2, aio_read         */           \
  X(bytes_read)                                                                  \
  X(writes) /* write, pwrite, writev, pwritev, pwritev2, aio_write   */          \
  X(bytes_written)                                                               \
  X(truncates)       /* ftruncate, truncate, fallocate, posix_fallocate       */ \
  X(syncs)           /* fsync, fdatasync                                      */ \
  X(locks)           /* fcntl locks, flock, lockf                             */ \
  X(other)           /* the stat family, lseek, access, unlink, rename, mmap  */ \
  X(collectives)     /* all calls of IOCOUNT_COLLECTIVES together             */ \
  X(bytes_broadcast) /* count x size of every Bcast and Ibcast                */ \
  X(sends)           /* point-to-point messages sent                          */ \
  X(bytes_sent)

/* MPI calls that are collective (MPI_ prefix left out). */
/* clang-format off */
#define IOCOUNT_COLLECTIVES(X) \
  X(Barrier) X(Bcast) X(Reduce) X(Allreduce) X(Gather) X(Gatherv) X(Allgather) X(Allgatherv) \
  X(Scatter) X(Scatterv) X(Alltoall) X(Alltoallv) X(Alltoallw) X(Scan) X(Exscan) \
  X(Reduce_scatter) X(Reduce_scatter_block) X(Ibarrier) X(Ibcast) X(Ireduce) X(Iallreduce) \
  X(Igather) X(Igatherv) X(Iallgather) X(Iallgatherv) X(Iscatter) X(Iscatterv) X(Ialltoall) \
  X(Ialltoallv) X(Iscan) X(Iexscan) X(Comm_dup) X(Comm_dup_with_info) X(Comm_idup) X(Comm_split) \
  X(Comm_split_type) X(Comm_create) X(Comm_create_group) X(Comm_free) X(Win_create) \
  X(Win_allocate) X(Win_allocate_shared) X(Win_fence) X(Win_free) X(File_open) X(File_close) \
  X(File_set_view) X(File_set_size) X(File_preallocate) X(File_set_info) X(File_set_atomicity) \
  X(File_sync) X(File_read_all) X(File_read_at_all) X(File_write_all) X(File_write_at_all)
/* clang-format on */

typedef enum IocountCollective {
#define IOCOUNT_ENUM(name) kIocount_##name,
  IOCOUNT_COLLECTIVES(IOCOUNT_ENUM)
#undef IOCOUNT_ENUM
      kIocountCollectiveCount
} IocountCollective;

typedef struct IocountCounters {
#define IOCOUNT_MEMBER(name) uint64_t name;
  IOCOUNT_FIELDS(IOCOUNT_MEMBER)
#undef IOCOUNT_MEMBER
  uint64_t by_collective[kIocountCollectiveCount];
} IocountCounters;

/* The exported function; programs find it by dlsym, so that they also run uncounted. */
#define IOCOUNT_SNAPSHOT "iocount_snapshot"
typedef void (*IocountSnapshot)(IocountCounters* counters);

#endif
