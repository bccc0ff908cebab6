/* What both programs of `onecast bench write` share: the command line, the values, the report. */
#ifndef ONECAST_WRITE_JOB_H
#define ONECAST_WRITE_JOB_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kColumns = 1024, kChunkRows = 256 }; /* a chunk of int32 is 1 MiB */

typedef struct WriteJob {
  const char* file;
  const char* json;
  const char* way; /* deflate or zstd */
  uint64_t rows;   /* of all ranks */
  uint64_t first;  /* of this rank */
  uint64_t mine;
  int32_t* values; /* mine * kColumns */
} WriteJob;

static inline void write_job_fail(const char* what, const char* detail) {
  fprintf(stderr, "bench: %s: %s\n", what, detail);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

/* Neighbours are alike, as in measurements; the same whatever the number of ranks. */
static inline void write_job_row(uint64_t row, int32_t* values) {
  uint64_t state = row * UINT64_C(0x9E3779B97F4A7C15) + 1;
  int32_t value = 0;
  for (int i = 0; i < kColumns; ++i) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    value += (int32_t)((state >> 33) % 7) - 3;
    values[i] = value;
  }
}

/* Call after MPI_Init. Whole chunks per rank. */
static inline WriteJob write_job_begin(int argc, char** argv) {
  WriteJob job;
  memset(&job, 0, sizeof job);
  uint64_t mib = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const char* value = argv[i + 1];
    if (strcmp(argv[i], "--file") == 0)
      job.file = value;
    else if (strcmp(argv[i], "--json") == 0)
      job.json = value;
    else if (strcmp(argv[i], "--way") == 0)
      job.way = value;
    else if (strcmp(argv[i], "--mib") == 0)
      mib = strtoull(value, NULL, 10);
    else
      write_job_fail(argv[i], "is no option of this program");
  }
  if (job.file == NULL || job.json == NULL || job.way == NULL || mib == 0)
    write_job_fail("command line", "--file PATH --json PATH --way deflate|zstd --mib N are needed");
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  job.rows = mib * kChunkRows;
  job.first = mib * (uint64_t)rank / (uint64_t)ranks * kChunkRows;
  job.mine = mib * (uint64_t)(rank + 1) / (uint64_t)ranks * kChunkRows - job.first;
  job.values = (int32_t*)malloc((size_t)(job.mine + 1) * kColumns * sizeof(int32_t));
  if (job.values == NULL) write_job_fail("values", "out of memory");
  for (uint64_t r = 0; r < job.mine; ++r) write_job_row(job.first + r, job.values + r * kColumns);
  return job;
}

/* Collective: rank 0 writes the seconds of the slowest rank. */
static inline void write_job_end(WriteJob* job, double seconds) {
  double slowest = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  free(job->values);
  if (rank != 0) return;
  FILE* out = fopen(job->json, "w");
  if (out == NULL || fprintf(out, "{\"seconds\": %.6f}\n", slowest) < 0 || fclose(out) != 0)
    write_job_fail(job->json, "cannot be written");
}

#endif
