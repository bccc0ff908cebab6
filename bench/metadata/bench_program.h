/* The common part of all measured programs: command line, timed and counted steps, the JSON report.
 * It makes the programs alike by construction; see README.md, "The contract". C and C++. */
#ifndef ONECAST_BENCH_PROGRAM_H
#define ONECAST_BENCH_PROGRAM_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "digest.h"
#include "iocount.h"

#define BENCH_FORMAT "onecast-bench-metadata 1"
#define BENCH_MAX_STEPS 16
#define BENCH_MOST 1073741824 /* the largest number on the command line */

typedef struct BenchOptions {
  const char* file;
  const char* json;
  const char* phases;
  const char* setting;
  int bases;
  int zones;
  int rounds;
  int shift;          /* bytes; see ../interleave/interleaved.h */
  const char* arrays; /* see ../arrays/arrays.h */
  const char* lab;    /* the lab's folder .lab, whose counters the report includes; or NULL */
} BenchOptions;

/* The seconds of a rank in calls of the file and in the exchange with other ranks, as a library
 * tells them; 0 if it does not. */
typedef struct BenchSpent {
  double file;
  double exchange;
} BenchSpent;

typedef struct BenchStep {
  const char* phase;
  const char* name;
  double seconds;
  double cpu; /* seconds that the process had a core */
  BenchSpent spent;
  int64_t memory; /* the peak growth of the process in bytes; -1 if unknown */
  IocountCounters counts;
  char* lab; /* on rank 0, the lab's counters as JSON */
} BenchStep;

typedef struct Bench {
  BenchOptions options;
  int rank;
  int ranks;
  IocountSnapshot snapshot; /* NULL if the counting library is not preloaded */
  int step_count;
  double started;
  BenchSpent spent; /* so far; the program updates it */
  BenchStep steps[BENCH_MAX_STEPS];
} Bench;

static inline void bench_fail(const char* what, const char* detail) {
  fprintf(stderr, "bench: %s: %s\n", what, detail);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static inline int bench_positive(const char* name, const char* text) {
  char* end = NULL;
  const long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 1 || value > BENCH_MOST) {
    bench_fail(name, "must be a whole number from 1 to 1073741824");
  }
  return (int)value;
}

static inline void bench_options(BenchOptions* options, int argc, char** argv) {
  options->phases = "create,open_read,close_unmodified";
  options->setting = "default";
  options->bases = 128;
  options->zones = 32;
  options->rounds = 1;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) bench_fail(argv[i], "needs a value");
    const char* value = argv[i + 1];
    if (strcmp(argv[i], "--file") == 0)
      options->file = value;
    else if (strcmp(argv[i], "--json") == 0)
      options->json = value;
    else if (strcmp(argv[i], "--phases") == 0)
      options->phases = value;
    else if (strcmp(argv[i], "--setting") == 0)
      options->setting = value;
    else if (strcmp(argv[i], "--bases") == 0)
      options->bases = bench_positive(argv[i], value);
    else if (strcmp(argv[i], "--zones") == 0)
      options->zones = bench_positive(argv[i], value);
    else if (strcmp(argv[i], "--rounds") == 0)
      options->rounds = bench_positive(argv[i], value);
    else if (strcmp(argv[i], "--shift") == 0)
      options->shift = bench_positive(argv[i], value);
    else if (strcmp(argv[i], "--arrays") == 0)
      options->arrays = value;
    else if (strcmp(argv[i], "--lab") == 0)
      options->lab = value;
    else
      bench_fail(argv[i], "is no option of this program");
  }
  if (options->file == NULL || options->json == NULL) {
    bench_fail("command line", "--file PATH and --json PATH are needed");
  }
}

/* Call after MPI_Init. */
static inline void bench_begin(Bench* bench, int argc, char** argv) {
  memset(bench, 0, sizeof *bench);
  MPI_Comm_rank(MPI_COMM_WORLD, &bench->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &bench->ranks);
  bench_options(&bench->options, argc, argv);
  void* symbol = dlsym(dlopen(NULL, RTLD_LAZY), IOCOUNT_SNAPSHOT);
  memcpy(&bench->snapshot, &symbol, sizeof symbol); /* ISO C has no such cast */
}

/* Returns 1 if the comma-separated --phases name this phase. */
static inline int bench_has_phase(const Bench* bench, const char* phase) {
  const size_t length = strlen(phase);
  const char* at = bench->options.phases;
  while (at != NULL) {
    if (*at == ',') ++at;
    if (strncmp(at, phase, length) == 0 && (at[length] == ',' || at[length] == '\0')) return 1;
    at = strchr(at, ',');
  }
  return 0;
}

/* Opens a file in the lab's folder; see lab/README.md, "The counters". */
static inline FILE* bench_lab_file(const Bench* bench, const char* name, const char* mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", bench->options.lab, name);
  FILE* file = fopen(path, mode);
  if (file == NULL) bench_fail(path, "cannot be opened");
  return file;
}

static inline void bench_lab_reset(const Bench* bench) {
  FILE* file = bench_lab_file(bench, "reset", "w");
  fputs("1", file);
  if (fclose(file) != 0) bench_fail("reset", "the lab does not take it");
}

static inline char* bench_lab_counters(const Bench* bench) {
  enum { kMost = 1 << 20 };
  char* text = (char*)malloc(kMost);
  if (text == NULL) bench_fail("lab", "out of memory");
  FILE* file = bench_lab_file(bench, "counters", "r");
  const size_t length = fread(text, 1, kMost, file);
  fclose(file);
  if (length == 0 || length == kMost) bench_fail("lab", "no counters, or more than expected");
  text[length] = '\0';
  return text;
}

/* Allocates memory that starts on a page. A FUSE file system then gets whole pages, without cuts at
 * both ends of each. */
static inline unsigned char* bench_room(uint64_t bytes) {
  void* room = NULL;
  if (posix_memalign(&room, 4096, (size_t)bytes + 1) != 0) bench_fail("data", "out of memory");
  return (unsigned char*)room;
}

static inline double bench_cpu(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Returns the peak memory of this process since the last bench_memory_begin; -1 if unknown. */
static inline int64_t bench_memory_peak(void) {
  char line[256];
  long long kib = -1;
  FILE* status = fopen("/proc/self/status", "r");
  if (status == NULL) return -1;
  while (fgets(line, sizeof line, status) != NULL)
    if (sscanf(line, "VmHWM: %lld", &kib) == 1) break;
  fclose(status);
  return kib < 0 ? -1 : kib * 1024;
}

/* Resets the peak memory to the current memory, and returns it. */
static inline int64_t bench_memory_begin(void) {
  FILE* references = fopen("/proc/self/clear_refs", "w");
  if (references == NULL) return -1;
  fputs("5", references);
  return fclose(references) == 0 ? bench_memory_peak() : -1;
}

/* All ranks start a step together; the barrier itself is neither timed nor counted. */
static inline void bench_step_begin(Bench* bench, const char* phase, const char* name) {
  if (bench->step_count == BENCH_MAX_STEPS) bench_fail(name, "too many steps");
  BenchStep* step = &bench->steps[bench->step_count];
  step->phase = phase;
  step->name = name;
  if (bench->options.lab != NULL && bench->rank == 0) bench_lab_reset(bench);
  step->memory = bench_memory_begin();
  MPI_Barrier(MPI_COMM_WORLD);
  if (bench->snapshot != NULL) bench->snapshot(&step->counts);
  step->cpu = bench_cpu();
  step->spent = bench->spent;
  bench->started = MPI_Wtime();
}

static inline void bench_step_counts(const Bench* bench, BenchStep* step) {
  IocountCounters before = step->counts;
  bench->snapshot(&step->counts);
#define BENCH_SUBTRACT(name) step->counts.name -= before.name;
  IOCOUNT_FIELDS(BENCH_SUBTRACT)
#undef BENCH_SUBTRACT
  for (int i = 0; i < kIocountCollectiveCount; ++i) {
    step->counts.by_collective[i] -= before.by_collective[i];
  }
}

static inline void bench_step_end(Bench* bench) {
  BenchStep* step = &bench->steps[bench->step_count++];
  step->seconds = MPI_Wtime() - bench->started;
  step->cpu = bench_cpu() - step->cpu;
  step->spent.file = bench->spent.file - step->spent.file;
  step->spent.exchange = bench->spent.exchange - step->spent.exchange;
  if (bench->snapshot != NULL) bench_step_counts(bench, step);
  if (step->memory >= 0) step->memory = bench_memory_peak() - step->memory;
  if (bench->options.lab == NULL) return;
  MPI_Barrier(MPI_COMM_WORLD);
  if (bench->rank == 0) step->lab = bench_lab_counters(bench);
  MPI_Barrier(MPI_COMM_WORLD);
}

static inline void bench_json_string(FILE* out, const char* text) {
  fputc('"', out);
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", (unsigned)c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

static inline void bench_json_field(FILE* out, const char* name, const char* value) {
  bench_json_string(out, name);
  fputs(": ", out);
  bench_json_string(out, value);
  fputs(",\n", out);
}

/* Writes one counter of all ranks. */
static inline void bench_json_counter(FILE* out, const char* name, const IocountCounters* counts,
                                      size_t offset, int ranks) {
  bench_json_string(out, name);
  fputs(": [", out);
  for (int rank = 0; rank < ranks; ++rank) {
    uint64_t value = 0;
    memcpy(&value, (const char*)&counts[rank] + offset, sizeof value);
    fprintf(out, "%s%llu", rank > 0 ? ", " : "", (unsigned long long)value);
  }
  fputs("]", out);
}

static inline void bench_json_counts(FILE* out, const IocountCounters* counts, int ranks) {
  static const char* const names[] = {
#define BENCH_NAME(name) #name,
      IOCOUNT_COLLECTIVES(BENCH_NAME)
#undef BENCH_NAME
  };
  fputs("{", out);
#define BENCH_COUNTER(name)                                                       \
  bench_json_counter(out, #name, counts, offsetof(IocountCounters, name), ranks); \
  fputs(", ", out);
  IOCOUNT_FIELDS(BENCH_COUNTER)
#undef BENCH_COUNTER
  fputs("\"by_collective\": {", out);
  const char* separator = "";
  for (int i = 0; i < kIocountCollectiveCount; ++i) {
    uint64_t sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += counts[rank].by_collective[i];
    if (sum == 0) continue;
    fputs(separator, out);
    separator = ", ";
    bench_json_counter(out, names[i], counts,
                       offsetof(IocountCounters, by_collective) + (size_t)i * sizeof(uint64_t),
                       ranks);
  }
  fputs("}}", out);
}

static inline void bench_json_seconds(FILE* out, const char* name, const double* seconds,
                                      int ranks) {
  bench_json_string(out, name);
  fputs(": [", out);
  for (int rank = 0; rank < ranks; ++rank)
    fprintf(out, "%s%.9f", rank > 0 ? ", " : "", seconds[rank]);
  fputs("], ", out);
}

/* What rank 0 gathers about one step, with an entry for each rank. */
typedef struct BenchGathered {
  double* seconds;
  double* cpu;
  double* file;
  double* exchange;
  int64_t* memory;
  IocountCounters* counts;
} BenchGathered;

static inline void bench_json_step(FILE* out, const Bench* bench, const BenchStep* step,
                                   const BenchGathered* all) {
  IocountCounters* counts = all->counts;
  MPI_Gather(&step->seconds, 1, MPI_DOUBLE, all->seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gather(&step->cpu, 1, MPI_DOUBLE, all->cpu, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gather(&step->spent.file, 1, MPI_DOUBLE, all->file, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gather(&step->spent.exchange, 1, MPI_DOUBLE, all->exchange, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gather(&step->memory, 1, MPI_INT64_T, all->memory, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  MPI_Gather(&step->counts, (int)sizeof step->counts, MPI_BYTE, counts, (int)sizeof step->counts,
             MPI_BYTE, 0, MPI_COMM_WORLD);
  if (bench->rank != 0) return;
  fprintf(out, "  {\"phase\": \"%s\", \"step\": \"%s\", ", step->phase, step->name);
  bench_json_seconds(out, "seconds", all->seconds, bench->ranks);
  bench_json_seconds(out, "cpu", all->cpu, bench->ranks);
  bench_json_seconds(out, "file", all->file, bench->ranks);
  bench_json_seconds(out, "exchange", all->exchange, bench->ranks);
  fputs("\n   \"memory\": [", out);
  for (int rank = 0; rank < bench->ranks; ++rank) {
    fprintf(out, "%s%lld", rank > 0 ? ", " : "", (long long)all->memory[rank]);
  }
  fputs("],\n   \"counts\": ", out);
  if (bench->snapshot == NULL)
    fputs("null", out);
  else
    bench_json_counts(out, counts, bench->ranks);
  if (step->lab != NULL) fprintf(out, ",\n   \"lab\": %s", step->lab);
  fputs("}", out);
}

static inline void bench_json_contents(FILE* out, const Bench* bench, const Contents* contents) {
  if (contents == NULL) {
    if (bench->rank == 0) fputs("\"contents\": null\n", out);
    return;
  }
  Contents first = *contents;
  MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  int equal = memcmp(&first, contents, sizeof first) == 0;
  int all_equal = 0;
  MPI_Allreduce(&equal, &all_equal, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (bench->rank != 0) return;
  fprintf(out, "\"contents\": {\"ranks_agree\": %s, \"digest\": \"%016llx\"",
          all_equal ? "true" : "false", (unsigned long long)contents->digest);
#define BENCH_CONTENT(name) \
  fprintf(out, ", \"" #name "\": %llu", (unsigned long long)contents->name);
  BENCH_CONTENT(groups)
  BENCH_CONTENT(datasets)
  BENCH_CONTENT(attributes)
  BENCH_CONTENT(datatypes)
  BENCH_CONTENT(links)
  BENCH_CONTENT(value_bytes)
  BENCH_CONTENT(skipped)
  BENCH_CONTENT(unreadable)
#undef BENCH_CONTENT
  fputs("}\n", out);
}

static inline void bench_json_header(FILE* out, const Bench* bench, const char* program,
                                     const char* library) {
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(mpi, &length);
  mpi[strcspn(mpi, "\n")] = '\0';
  struct stat status;
  const int known = stat(bench->options.file, &status) == 0;
  fputs("{\n", out);
  bench_json_field(out, "format", BENCH_FORMAT);
  bench_json_field(out, "program", program);
  bench_json_field(out, "library", library);
  bench_json_field(out, "mpi", mpi);
  bench_json_field(out, "setting", bench->options.setting);
  bench_json_field(out, "file", bench->options.file);
  fprintf(out, "\"file_bytes\": %lld,\n", known ? (long long)status.st_size : -1LL);
  fprintf(out, "\"ranks\": %d,\n\"bases\": %d,\n\"zones\": %d,\n\"steps\": [\n", bench->ranks,
          bench->options.bases, bench->options.zones);
}

/* Writes the JSON report. Collective. `contents` is NULL if no phase read the file. */
static inline void bench_report(const Bench* bench, const char* program, const char* library,
                                const Contents* contents) {
  FILE* out = NULL;
  BenchGathered all = {NULL, NULL, NULL, NULL, NULL, NULL};
  if (bench->rank == 0) {
    const size_t ranks = (size_t)bench->ranks;
    out = fopen(bench->options.json, "w");
    if (out == NULL) bench_fail(bench->options.json, "cannot be written");
    all.seconds = (double*)malloc(ranks * sizeof *all.seconds);
    all.cpu = (double*)malloc(ranks * sizeof *all.cpu);
    all.file = (double*)malloc(ranks * sizeof *all.file);
    all.exchange = (double*)malloc(ranks * sizeof *all.exchange);
    all.memory = (int64_t*)malloc(ranks * sizeof *all.memory);
    all.counts = (IocountCounters*)malloc(ranks * sizeof *all.counts);
    if (all.seconds == NULL || all.cpu == NULL || all.file == NULL || all.exchange == NULL ||
        all.memory == NULL || all.counts == NULL)
      bench_fail("report", "out of memory");
    bench_json_header(out, bench, program, library);
  }
  for (int i = 0; i < bench->step_count; ++i) {
    bench_json_step(out, bench, &bench->steps[i], &all);
    if (bench->rank == 0) fputs(i + 1 < bench->step_count ? ",\n" : "\n],\n", out);
  }
  if (bench->rank == 0 && bench->step_count == 0) fputs("],\n", out);
  bench_json_contents(out, bench, contents);
  if (bench->rank != 0) return;
  fputs("}\n", out);
  if (fclose(out) != 0) bench_fail(bench->options.json, "cannot be written");
  free(all.seconds);
  free(all.cpu);
  free(all.file);
  free(all.exchange);
  free(all.memory);
  free(all.counts);
}

#endif
