/* The common part of both programs of `onecast bench write`: `bases` MiB of values, written in one
 * step. The setting names the filter, deflate or zstd. C and C++. */
#ifndef ONECAST_WRITE_JOB_H
#define ONECAST_WRITE_JOB_H

#include "../metadata/bench_program.h"

enum { kColumns = 1024, kChunkRows = 256 }; /* a chunk of int32 is 1 MiB */

typedef struct WriteJob {
  const char* file;
  int is_zstd;
  uint64_t rows;  /* rows of all ranks */
  uint64_t first; /* the first row of this rank */
  uint64_t mine;
  int32_t* values; /* mine * kColumns */
} WriteJob;

/* Fills a row in which neighbours differ little, as in measurements, on any number of ranks. */
static inline void write_job_row(uint64_t row, int32_t* values) {
  uint64_t state = row * UINT64_C(0x9E3779B97F4A7C15) + 1;
  int32_t value = 0;
  for (int i = 0; i < kColumns; ++i) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    value += (int32_t)((state >> 33) % 7) - 3;
    values[i] = value;
  }
}

/* Gives each rank whole chunks. */
static inline WriteJob write_job(const Bench* bench) {
  WriteJob job;
  const uint64_t mib = (uint64_t)bench->options.bases;
  const uint64_t rank = (uint64_t)bench->rank;
  const uint64_t ranks = (uint64_t)bench->ranks;
  job.file = bench->options.file;
  job.is_zstd = strcmp(bench->options.setting, "zstd") == 0;
  if (!job.is_zstd && strcmp(bench->options.setting, "deflate") != 0)
    bench_fail("--setting", "must be deflate or zstd");
  job.rows = mib * kChunkRows;
  job.first = mib * rank / ranks * kChunkRows;
  job.mine = mib * (rank + 1) / ranks * kChunkRows - job.first;
  job.values = (int32_t*)malloc((size_t)(job.mine + 1) * kColumns * sizeof(int32_t));
  if (job.values == NULL) bench_fail("values", "out of memory");
  for (uint64_t r = 0; r < job.mine; ++r) write_job_row(job.first + r, job.values + r * kColumns);
  return job;
}

#endif
