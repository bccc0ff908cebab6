/* The common part of the programs of benchmarks with shared arrays. In steps, arrays of which each
 * rank has a part are created, written, closed, read, opened again and closed again. C and C++.
 *
 * --arrays "NAME:TYPE:ROWS:COLUMNS:ROW PARTS:COLUMN PARTS;..."; types are u1, i4, i8 and f8. With 1
 * part by 1 every rank has all of an array, else rank r the part (r / COLUMN PARTS, r mod COLUMN
 * PARTS). */
#ifndef ONECAST_BENCH_ARRAYS_H
#define ONECAST_BENCH_ARRAYS_H

#include <inttypes.h>

#include "../metadata/bench_program.h"

#define BENCH_MOST_ARRAYS 4096
#define BENCH_ARRAYS "arrays" /* the phase of all steps */
#define BENCH_RESERVED 131072 /* elements of the dataset that modify() creates and nobody fills */

typedef struct BenchArray {
  char name[32];
  char type[4];
  uint64_t element; /* bytes */
  uint64_t shape[2];
  uint64_t parts[2];
} BenchArray;

typedef struct ArrayPart {
  uint64_t start[2];
  uint64_t count[2];
} ArrayPart;

typedef struct ArrayJob {
  Bench* bench;
  int count;
  BenchArray* arrays;
  unsigned char** data; /* this rank's part of each array */
  unsigned char** read; /* the part of each array that this rank reads */
  void* state;          /* belongs to the program */
} ArrayJob;

/* The calls of a library. Each transfers the parts of all arrays, if possible by one call each. */
typedef struct ArrayCalls {
  void (*create)(const ArrayJob*);
  void (*write)(const ArrayJob*);
  void (*flush)(const ArrayJob*);
  void (*close)(const ArrayJob*);
  void (*open)(const ArrayJob*, int writable);
  void (*read)(const ArrayJob*);   /* reads each arrays_read_part into job->read */
  void (*modify)(const ArrayJob*); /* creates a dataset "reserved", an attribute "changed" */
} ArrayCalls;

static inline int arrays_setting_is(const ArrayJob* job, const char* setting) {
  return strcmp(job->bench->options.setting, setting) == 0;
}

static inline ArrayPart arrays_part(const BenchArray* array, int rank) {
  ArrayPart part = {{0, 0}, {array->shape[0], array->shape[1]}};
  const uint64_t parts = array->parts[0] * array->parts[1];
  if (parts == 1) return part;
  const uint64_t at[] = {(uint64_t)rank / array->parts[1], (uint64_t)rank % array->parts[1]};
  for (int d = 0; d < 2; ++d) {
    part.start[d] = array->shape[d] * at[d] / array->parts[d];
    part.count[d] = array->shape[d] * (at[d] + 1) / array->parts[d] - part.start[d];
  }
  if ((uint64_t)rank >= parts) part.count[0] = part.count[1] = 0;
  return part;
}

static inline ArrayPart arrays_own_part(const ArrayJob* job, int array) {
  return arrays_part(&job->arrays[array], job->bench->rank);
}

/* Returns the rank whose part this rank reads: the next one. With --phases "share" there may be
 * fewer parts than ranks, and several ranks read one part. */
static inline int arrays_read_rank(const ArrayJob* job, int array, int rank) {
  const BenchArray* of = &job->arrays[array];
  const int next = (rank + 1) % job->bench->ranks;
  return bench_has_phase(job->bench, "share") ? next % (int)(of->parts[0] * of->parts[1]) : next;
}

static inline ArrayPart arrays_read_part(const ArrayJob* job, int array) {
  return arrays_part(&job->arrays[array], arrays_read_rank(job, array, job->bench->rank));
}

static inline uint64_t arrays_elements(const ArrayPart* part) {
  return part->count[0] * part->count[1];
}

static inline uint64_t arrays_bytes(const BenchArray* array, const ArrayPart* part) {
  return arrays_elements(part) * array->element;
}

/* Stores a value in the type of an array. */
static inline void arrays_store(unsigned char* to, const BenchArray* array, uint32_t value) {
  const int32_t number = (int32_t)(value & 0x7FFFFFFF);
  const int64_t large = value;
  const double real = value;
  if (array->element == 1) {
    *to = (unsigned char)value;
  } else if (array->element == 4) {
    memcpy(to, &number, sizeof number);
  } else if (array->type[0] == 'i') {
    memcpy(to, &large, sizeof large);
  } else {
    memcpy(to, &real, sizeof real);
  }
}

/* Stores an element of a part in a step. The first element is the number of the step, every other
 * one follows from its position in the array. `row` and `column` count within the part. */
static inline void arrays_value(const ArrayJob* job, int array, const ArrayPart* part, int step,
                                uint64_t row, uint64_t column, unsigned char* to) {
  const BenchArray* of = &job->arrays[array];
  const uint64_t at = (part->start[0] + row) * of->shape[1] + part->start[1] + column;
  const uint32_t value = (uint32_t)at * 2654435761U + (uint32_t)array * 97U;
  arrays_store(to, of, row + column == 0 ? (uint32_t)step : value);
}

static inline void arrays_fill(const ArrayJob* job, int array, const ArrayPart* part, int step,
                               unsigned char* to) {
  for (uint64_t r = 0; r < part->count[0]; ++r)
    for (uint64_t c = 0; c < part->count[1]; ++c, to += job->arrays[array].element)
      arrays_value(job, array, part, step, r, c, to);
}

/* Returns 0 if the type is none of these programs' types. */
static inline uint64_t arrays_size_of(const char* type) {
  static const char* const types[] = {"u1", "i4", "i8", "f8"};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (strcmp(type, types[i]) == 0) return (uint64_t)(type[1] - '0');
  return 0;
}

static inline void arrays_parse(ArrayJob* job, const char* text) {
  job->arrays = (BenchArray*)calloc(BENCH_MOST_ARRAYS, sizeof *job->arrays);
  if (job->arrays == NULL) bench_fail("arrays", "out of memory");
  while (text != NULL && *text != '\0') {
    if (job->count == BENCH_MOST_ARRAYS) bench_fail("--arrays", "too many");
    BenchArray* a = &job->arrays[job->count++];
    const int found =
        sscanf(text, "%31[^:]:%3[^:]:%" SCNu64 ":%" SCNu64 ":%" SCNu64 ":%" SCNu64, a->name,
               a->type, &a->shape[0], &a->shape[1], &a->parts[0], &a->parts[1]);
    const uint64_t parts = a->parts[0] * a->parts[1];
    a->element = arrays_size_of(a->type);
    if (found != 6 || parts == 0 || parts > (uint64_t)job->bench->ranks || a->element == 0)
      bench_fail("--arrays", text);
    text = strchr(text, ';');
    if (text != NULL) ++text;
  }
  if (job->count == 0) bench_fail("--arrays", "is needed");
}

static inline void arrays_begin(ArrayJob* job, Bench* bench) {
  memset(job, 0, sizeof *job);
  job->bench = bench;
  arrays_parse(job, bench->options.arrays);
  job->data = (unsigned char**)calloc((size_t)job->count, sizeof *job->data);
  job->read = (unsigned char**)calloc((size_t)job->count, sizeof *job->read);
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_own_part(job, a);
    job->data[a] = bench_room(arrays_bytes(&job->arrays[a], &part));
    arrays_fill(job, a, &part, 0, job->data[a]);
  }
}

static inline void arrays_end(ArrayJob* job) {
  for (int a = 0; a < job->count; ++a) free(job->data[a]);
  free(job->data);
  free(job->read);
  free(job->arrays);
}

/* Writes all parts in each of `rounds` steps. The first is a step of its own in the report. */
static inline void arrays_write(const ArrayJob* job, const ArrayCalls* calls) {
  const int last = job->bench->options.rounds - 1;
  for (int round = 0; round <= last; ++round) {
    if (round < 2) bench_step_begin(job->bench, BENCH_ARRAYS, round == 0 ? "first" : "further");
    for (int a = 0; a < job->count; ++a) {
      const ArrayPart part = arrays_own_part(job, a);
      if (arrays_elements(&part) > 0) arrays_store(job->data[a], &job->arrays[a], (uint32_t)round);
    }
    calls->write(job);
    if (round == 0 || round == last) bench_step_end(job->bench);
  }
}

static inline void arrays_compare(const ArrayJob* job, int a) {
  const ArrayPart part = arrays_read_part(job, a);
  const size_t size = (size_t)job->arrays[a].element;
  const unsigned char* read = job->read[a];
  unsigned char wanted[8];
  for (uint64_t r = 0; r < part.count[0]; ++r)
    for (uint64_t c = 0; c < part.count[1]; ++c, read += size) {
      arrays_value(job, a, &part, job->bench->options.rounds - 1, r, c, wanted);
      if (memcmp(read, wanted, size) != 0)
        bench_fail(job->arrays[a].name, "what was read is not what was written");
    }
}

/* Frees what was written, and allocates and touches the memory to read into. So the memory of the
 * step is only what the call takes beside it. */
static inline void arrays_make_room(const ArrayJob* job, int a) {
  const ArrayPart part = arrays_read_part(job, a);
  const uint64_t bytes = arrays_bytes(&job->arrays[a], &part);
  free(job->data[a]);
  job->data[a] = NULL;
  job->read[a] = bench_room(bytes);
  memset(job->read[a], 0x5A, (size_t)bytes);
}

static inline void arrays_read(const ArrayJob* job, const ArrayCalls* calls) {
  for (int a = 0; a < job->count; ++a) arrays_make_room(job, a);
  bench_step_begin(job->bench, BENCH_ARRAYS, "open");
  calls->open(job, 0);
  bench_step_end(job->bench);
  bench_step_begin(job->bench, BENCH_ARRAYS, "read");
  calls->read(job);
  bench_step_end(job->bench);
  calls->close(job);
  for (int a = 0; a < job->count; ++a) {
    arrays_compare(job, a);
    free(job->read[a]);
  }
}

static inline void arrays_step(const ArrayJob* job, const char* name,
                               void (*call)(const ArrayJob*)) {
  bench_step_begin(job->bench, BENCH_ARRAYS, name);
  call(job);
  bench_step_end(job->bench);
}

static inline void arrays_close_again(const ArrayJob* job, const ArrayCalls* calls) {
  bench_step_begin(job->bench, BENCH_ARRAYS, "open again");
  calls->open(job, 1);
  bench_step_end(job->bench);
  arrays_step(job, "close unmodified", calls->close);
  calls->open(job, 1);
  calls->modify(job);
  arrays_step(job, "close modified", calls->close);
}

/* With --phases "read" and "close" run after writing; "share" decides who reads which part. */
static inline void arrays_run(Bench* bench, const ArrayCalls* calls, void* state) {
  ArrayJob job;
  arrays_begin(&job, bench);
  job.state = state;
  arrays_step(&job, "create", calls->create);
  arrays_write(&job, calls);
  arrays_step(&job, "flush", calls->flush);
  arrays_step(&job, "close", calls->close);
  if (bench_has_phase(bench, "close")) arrays_close_again(&job, calls);
  if (bench_has_phase(bench, "read")) arrays_read(&job, calls);
  arrays_end(&job);
}

#endif
