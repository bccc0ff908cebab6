/* Plain write and read calls, without a format. The arrays lie in one shared file, each at a
 * multiple of 1 MiB. Every rank transfers its parts, or rank 0 transfers all ("one"). "turned":
 * rank r transfers pieces of 1 MiB, starting with its r-th, so that ranks whose parts begin on one
 * storage target do not all begin there. */
#include "../programs/plain_program.h"
#include "arrays.h"

static Bench bench;
static int file;

static const uint64_t unit = 1 << 20;

static uint64_t offset_of(const ArrayJob* job, int array) {
  uint64_t offset = 0;
  for (int a = 0; a < array; ++a) {
    const BenchArray* before = &job->arrays[a];
    const uint64_t size = before->shape[0] * before->shape[1] * before->element;
    offset += (size + unit - 1) / unit * unit;
  }
  return offset;
}

static void transfer(unsigned char* data, uint64_t size, uint64_t offset, int writes) {
  if (writes)
    plain_write(file, data, size, offset);
  else
    plain_read(file, data, size, offset);
}

static void transfer_turned(const ArrayJob* job, unsigned char* data, uint64_t size,
                            uint64_t offset, int writes) {
  const uint64_t pieces = (size + unit - 1) / unit;
  for (uint64_t i = 0; i < pieces; ++i) {
    const uint64_t at = (i + (uint64_t)job->bench->rank) % pieces * unit;
    transfer(data + at, size - at < unit ? size - at : unit, offset + at, writes);
  }
}

/* Transfers each contiguous piece of a part by one call. */
static void transfer_part(const ArrayJob* job, int a, const ArrayPart* part, unsigned char* data,
                          int writes) {
  const BenchArray* array = &job->arrays[a];
  const int whole_rows = part->count[1] == array->shape[1];
  const uint64_t pieces = arrays_elements(part) == 0 ? 0 : whole_rows ? 1 : part->count[0];
  const uint64_t size = pieces == 0 ? 0 : arrays_bytes(array, part) / pieces;
  for (uint64_t i = 0; i < pieces; ++i) {
    const uint64_t element = (part->start[0] + i) * array->shape[1] + part->start[1];
    const uint64_t offset = offset_of(job, a) + element * array->element;
    if (arrays_setting_is(job, "turned"))
      transfer_turned(job, data + i * size, size, offset, writes);
    else
      transfer(data + i * size, size, offset, writes);
  }
}

static void open_file(const ArrayJob* job, int writable) {
  file = plain_open(job->bench, writable ? O_RDWR : O_RDONLY);
}

static void create(const ArrayJob* job) {
  if (job->bench->rank == 0) close(plain_open(job->bench, O_CREAT | O_TRUNC | O_WRONLY));
  MPI_Barrier(MPI_COMM_WORLD);
  open_file(job, 1);
}

static void write_arrays(const ArrayJob* job) {
  if (arrays_setting_is(job, "one") && job->bench->rank != 0) return;
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_own_part(job, a);
    transfer_part(job, a, &part, job->data[a], 1);
  }
}

static void read_arrays(const ArrayJob* job) {
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_read_part(job, a);
    transfer_part(job, a, &part, job->read[a], 0);
  }
}

static void nothing(const ArrayJob* job) { (void)job; }

static void close_file(const ArrayJob* job) {
  (void)job;
  close(file);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  plain_begin(&bench, argc, argv);
  const ArrayCalls calls = {create,    write_arrays, nothing, close_file,
                            open_file, read_arrays,  nothing};
  arrays_run(&bench, &calls, NULL);
  return plain_end(&bench);
}
