/* The common part of the programs over MPI and system calls alone: errors, complete reads and
 * writes, start and end. */
#ifndef ONECAST_BENCH_PLAIN_PROGRAM_H
#define ONECAST_BENCH_PLAIN_PROGRAM_H

#include <fcntl.h>
#include <unistd.h>

#include "../metadata/bench_program.h"

static inline void check(int status, const char* what) {
  if (status != MPI_SUCCESS) bench_fail("MPI failed", what);
}

static inline void plain_begin(Bench* bench, int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bench_begin(bench, argc, argv);
}

static inline int plain_end(const Bench* bench) {
  bench_report(bench, "mpi", "plain MPI", NULL);
  MPI_Finalize();
  return 0;
}

static inline int plain_open(const Bench* bench, int flags) {
  const int file = open(bench->options.file, flags | O_CLOEXEC, 0666);
  if (file < 0) bench_fail(bench->options.file, "cannot be opened");
  return file;
}

static inline void plain_read(int file, void* bytes, uint64_t size, uint64_t offset) {
  uint64_t done = 0;
  while (done < size) {
    const ssize_t got =
        pread(file, (char*)bytes + done, (size_t)(size - done), (off_t)(offset + done));
    if (got <= 0) bench_fail("file", "cannot be read");
    done += (uint64_t)got;
  }
}

static inline void plain_write(int file, const void* bytes, uint64_t size, uint64_t offset) {
  uint64_t done = 0;
  while (done < size) {
    const ssize_t put =
        pwrite(file, (const char*)bytes + done, (size_t)(size - done), (off_t)(offset + done));
    if (put <= 0) bench_fail("file", "cannot be written");
    done += (uint64_t)put;
  }
}

#endif
