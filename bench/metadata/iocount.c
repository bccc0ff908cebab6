/* libiocount.so: preloaded into a program, it counts the program's file operations on paths that
 * begin with $IOCOUNT_PREFIX, and its MPI collectives. iocount.h explains the counters. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT, preadv2, the 64-bit names */
#endif
#include "iocount.h"

#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The 64-bit functions and the plain ones share one body. */
_Static_assert(sizeof(off_t) == 8, "a 64-bit off_t is needed");

#define EXPORT __attribute__((visibility("default")))

/* ---- counters ---- */

static struct {
#define ATOMIC_MEMBER(name) atomic_ullong name;
  IOCOUNT_FIELDS(ATOMIC_MEMBER)
#undef ATOMIC_MEMBER
  atomic_ullong by_collective[kIocountCollectiveCount];
} counters;

static void add(atomic_ullong* counter, unsigned long long amount) {
  atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

EXPORT void iocount_snapshot(IocountCounters* snapshot) {
#define LOAD(name) snapshot->name = atomic_load(&counters.name);
  IOCOUNT_FIELDS(LOAD)
#undef LOAD
  for (int i = 0; i < kIocountCollectiveCount; ++i) {
    snapshot->by_collective[i] = atomic_load(&counters.by_collective[i]);
  }
}

/* ---- which paths and descriptors count ---- */

#define MAX_DESCRIPTORS 65536
static atomic_uchar tracked[MAX_DESCRIPTORS];

static int is_counted(int descriptor) {
  return descriptor >= 0 && descriptor < MAX_DESCRIPTORS && atomic_load(&tracked[descriptor]);
}

static void set_counted(int descriptor, int value) {
  if (descriptor >= 0 && descriptor < MAX_DESCRIPTORS) {
    atomic_store(&tracked[descriptor], (unsigned char)value);
  }
}

/* A relative path is taken from the working directory. */
static int path_is_counted(const char* path) {
  const char* prefix = getenv("IOCOUNT_PREFIX");
  if (prefix == NULL || *prefix == '\0' || path == NULL) return 0;
  const size_t length = strlen(prefix);
  if (path[0] == '/') return strncmp(path, prefix, length) == 0;
  char absolute[PATH_MAX];
  if (getcwd(absolute, sizeof absolute) == NULL) return 0;
  if (strncmp(path, "./", 2) == 0) path += 2;
  const size_t used = strlen(absolute);
  snprintf(absolute + used, sizeof absolute - used, "/%s", path);
  return strncmp(absolute, prefix, length) == 0;
}

static int opened(const char* path, int descriptor) {
  const int counted = path_is_counted(path);
  if (counted) add(&counters.opens, 1);
  set_counted(descriptor, counted);
  return descriptor;
}

static ssize_t moved(int descriptor, atomic_ullong* calls, atomic_ullong* bytes, ssize_t amount) {
  if (!is_counted(descriptor)) return amount;
  add(calls, 1);
  if (amount > 0) add(bytes, (unsigned long long)amount);
  return amount;
}

/* ---- wrapping the real function ----
 * Defines `name`. In its body `real` is the function that would have been called. */
#define HOOK(result, name, parameters, ...)                       \
  EXPORT result name parameters;                                  \
  EXPORT result name parameters {                                 \
    static result(*real) parameters;                              \
    if (real == NULL) *(void**)(&real) = dlsym(RTLD_NEXT, #name); \
    __VA_ARGS__                                                   \
  }

/* ---- opening and closing ---- */

#define OPEN_MODE(flags)                                       \
  mode_t mode = 0;                                             \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list arguments;                                         \
    va_start(arguments, flags);                                \
    mode = va_arg(arguments, mode_t);                          \
    va_end(arguments);                                         \
  }

/* A path relative to a directory descriptor is taken from the working directory. The names with _2
 * are those that fortified programs call. */
#define OPEN_HOOKS(bits)                                                          \
  HOOK(int, open##bits, (const char* path, int flags, ...),                       \
       OPEN_MODE(flags) return opened(path, real(path, flags, mode));)            \
  HOOK(int, openat##bits, (int directory, const char* path, int flags, ...),      \
       OPEN_MODE(flags) return opened(path, real(directory, path, flags, mode));) \
  HOOK(int, __open##bits##_2, (const char* path, int flags),                      \
       return opened(path, real(path, flags));)                                   \
  HOOK(int, creat##bits, (const char* path, mode_t mode), return opened(path, real(path, mode));)
OPEN_HOOKS()
OPEN_HOOKS(64)

HOOK(int, close, (int fd), set_counted(fd, 0); return real(fd);)

/* ---- duplicates and locks ---- */

static int duplicated(int from, int to) {
  if (to >= 0) set_counted(to, is_counted(from));
  return to;
}
HOOK(int, dup, (int from), return duplicated(from, real(from));)
HOOK(int, dup2, (int from, int to), return duplicated(from, real(from, to));)
HOOK(int, dup3, (int from, int to, int flags), return duplicated(from, real(from, to, flags));)

static int fcntl_done(int fd, int command, int result) {
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      return duplicated(fd, result);
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      if (is_counted(fd)) add(&counters.locks, 1);
      return result;
    default:
      return result;
  }
}
#define FCNTL_HOOK(name)                                                                       \
  HOOK(int, name, (int fd, int command, ...), va_list arguments; va_start(arguments, command); \
       void* argument = va_arg(arguments, void*); va_end(arguments);                           \
       return fcntl_done(fd, command, real(fd, command, argument));)
FCNTL_HOOK(fcntl)
FCNTL_HOOK(fcntl64)

/* ---- reads and writes ---- */

#define READ_HOOK(name, parameters, ...) \
  HOOK(ssize_t, name, parameters,        \
       return moved(fd, &counters.reads, &counters.bytes_read, real(__VA_ARGS__));)
#define WRITE_HOOK(name, parameters, ...) \
  HOOK(ssize_t, name, parameters,         \
       return moved(fd, &counters.writes, &counters.bytes_written, real(__VA_ARGS__));)
#define PARTS int fd, const struct iovec *parts, int count

READ_HOOK(read, (int fd, void* data, size_t size), fd, data, size)
READ_HOOK(__read_chk, (int fd, void* data, size_t size, size_t room), fd, data, size, room)
READ_HOOK(readv, (PARTS), fd, parts, count)
READ_HOOK(preadv2, (PARTS, off_t at, int flags), fd, parts, count, at, flags)
READ_HOOK(preadv64v2, (PARTS, off_t at, int flags), fd, parts, count, at, flags)
WRITE_HOOK(write, (int fd, const void* data, size_t size), fd, data, size)
WRITE_HOOK(writev, (PARTS), fd, parts, count)
WRITE_HOOK(pwritev2, (PARTS, off_t at, int flags), fd, parts, count, at, flags)
WRITE_HOOK(pwritev64v2, (PARTS, off_t at, int flags), fd, parts, count, at, flags)

#define AT_OFFSET_HOOKS(bits)                                                                     \
  READ_HOOK(pread##bits, (int fd, void* data, size_t size, off_t at), fd, data, size, at)         \
  READ_HOOK(__pread##bits##_chk, (int fd, void* data, size_t size, off_t at, size_t room), fd,    \
            data, size, at, room)                                                                 \
  READ_HOOK(preadv##bits, (PARTS, off_t at), fd, parts, count, at)                                \
  WRITE_HOOK(pwrite##bits, (int fd, const void* data, size_t size, off_t at), fd, data, size, at) \
  WRITE_HOOK(pwritev##bits, (PARTS, off_t at), fd, parts, count, at)
AT_OFFSET_HOOKS()
AT_OFFSET_HOOKS(64)

/* Asynchronous operations count when they begin. OMPIO's collective writes use them. */
#define AIO_HOOK(name, job_type, calls, bytes)                               \
  HOOK(                                                                      \
      int, name, (struct job_type * job), if (is_counted(job->aio_fildes)) { \
        add(&counters.calls, 1);                                             \
        add(&counters.bytes, job->aio_nbytes);                               \
      } return real(job);)
AIO_HOOK(aio_read, aiocb, reads, bytes_read)
AIO_HOOK(aio_read64, aiocb64, reads, bytes_read)
AIO_HOOK(aio_write, aiocb, writes, bytes_written)
AIO_HOOK(aio_write64, aiocb64, writes, bytes_written)

/* ---- everything else that reaches the file system ---- */

#define FD_HOOK(counter, result, name, parameters, ...)                         \
  HOOK(result, name, parameters, if (is_counted(fd)) add(&counters.counter, 1); \
       return real(__VA_ARGS__);)
#define PATH_HOOK(counter, name, parameters, ...)                                   \
  HOOK(int, name, parameters, if (path_is_counted(path)) add(&counters.counter, 1); \
       return real(__VA_ARGS__);)

FD_HOOK(syncs, int, fsync, (int fd), fd)
FD_HOOK(syncs, int, fdatasync, (int fd), fd)
FD_HOOK(locks, int, flock, (int fd, int how), fd, how)

#define SIZE_HOOKS(bits)                                                                           \
  FD_HOOK(locks, int, lockf##bits, (int fd, int how, off_t size), fd, how, size)                   \
  FD_HOOK(truncates, int, ftruncate##bits, (int fd, off_t size), fd, size)                         \
  PATH_HOOK(truncates, truncate##bits, (const char* path, off_t size), path, size)                 \
  FD_HOOK(truncates, int, fallocate##bits, (int fd, int mode, off_t at, off_t size), fd, mode, at, \
          size)                                                                                    \
  FD_HOOK(truncates, int, posix_fallocate##bits, (int fd, off_t at, off_t size), fd, at, size)     \
  FD_HOOK(other, off_t, lseek##bits, (int fd, off_t at, int whence), fd, at, whence)               \
  FD_HOOK(other, void*, mmap##bits,                                                                \
          (void* at, size_t size, int protection, int flags, int fd, off_t offset), at, size,      \
          protection, flags, fd, offset)
SIZE_HOOKS()
SIZE_HOOKS(64)

#define STATUS_HOOKS(bits)                                                                         \
  FD_HOOK(other, int, fstat##bits, (int fd, struct stat##bits* to), fd, to)                        \
  FD_HOOK(other, int, __fxstat##bits, (int version, int fd, struct stat##bits* to), version, fd,   \
          to)                                                                                      \
  FD_HOOK(other, int, fstatfs##bits, (int fd, struct statfs##bits* to), fd, to)                    \
  PATH_HOOK(other, stat##bits, (const char* path, struct stat##bits* to), path, to)                \
  PATH_HOOK(other, lstat##bits, (const char* path, struct stat##bits* to), path, to)               \
  PATH_HOOK(other, __xstat##bits, (int version, const char* path, struct stat##bits* to), version, \
            path, to)                                                                              \
  PATH_HOOK(other, __lxstat##bits, (int version, const char* path, struct stat##bits* to),         \
            version, path, to)                                                                     \
  PATH_HOOK(other, fstatat##bits,                                                                  \
            (int directory, const char* path, struct stat##bits* to, int flags), directory, path,  \
            to, flags)                                                                             \
  PATH_HOOK(other, statfs##bits, (const char* path, struct statfs##bits* to), path, to)
STATUS_HOOKS()
STATUS_HOOKS(64)
PATH_HOOK(other, statx,
          (int directory, const char* path, int flags, unsigned mask, struct statx* to), directory,
          path, flags, mask, to)
PATH_HOOK(other, access, (const char* path, int mode), path, mode)
PATH_HOOK(other, unlink, (const char* path), path)
PATH_HOOK(other, rename, (const char* path, const char* to), path, to)

#include "iocount_mpi.h"
