/* MPI-IO alone, without a format, as in the published tests of closing and of equal reads.
 *
 * Arrays that every rank has whole and that are smaller than 8 KiB stand for metadata, which
 * `flush` writes just before the close. All others are data, written collectively.
 *
 * --setting: words joined by "+".
 *   where the metadata lie and who writes them:
 *     scattered   between the data, as they come; collectively, each piece by another rank
 *     block       in aligned blocks of 1 MiB behind the data, by one process
 *     blocks      the same, by two processes
 *   what comes before MPI_File_close:
 *     set_size    MPI_File_set_size to the length of the file
 *     truncate    truncate to it by rank 0, and a barrier
 *   how data are read:
 *     collective (without a word), independent, broadcast: read by rank 0 for all, or
 *     send: read by the first rank that wants it, and sent to each of the others */
#include "../programs/plain_program.h"
#include "arrays.h"

enum { kSmall = 8192, kBlock = 1 << 20, kAtOnce = 1 << 30 };

static Bench bench;
static MPI_File file;

static int has_word(const char* word) { return strstr(bench.options.setting, word) != NULL; }

static int is_for_all(const BenchArray* array) { return array->parts[0] * array->parts[1] == 1; }

static uint64_t size_of(const BenchArray* array) {
  return array->shape[0] * array->shape[1] * array->element;
}

static int is_metadata(const BenchArray* array) {
  return is_for_all(array) && size_of(array) < kSmall;
}

static uint64_t rounded(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit * unit; }

/* The places of the arrays. `end` is behind the last one. */
typedef struct Places {
  uint64_t at[BENCH_MOST_ARRAYS];
  uint64_t blocks; /* where the blocks of metadata begin */
  uint64_t end;
} Places;

static Places places;

static void place(const ArrayJob* job, int metadata, int data, uint64_t* end) {
  for (int a = 0; a < job->count; ++a) {
    const BenchArray* array = &job->arrays[a];
    if (!(is_metadata(array) ? metadata : data)) continue;
    places.at[a] = rounded(*end, is_metadata(array) ? 8 : kBlock);
    *end = places.at[a] + size_of(array);
  }
}

static void find_places(const ArrayJob* job) {
  uint64_t end = 0;
  if (has_word("block")) {
    place(job, 0, 1, &end);
    places.blocks = end = rounded(end, kBlock);
    place(job, 1, 0, &end);
    end = rounded(end, kBlock);
  } else {
    place(job, 1, 1, &end);
  }
  places.end = end;
}

static void open_file(const ArrayJob* job, int writable) {
  (void)job;
  const int mode = writable ? MPI_MODE_RDWR | MPI_MODE_CREATE : MPI_MODE_RDONLY;
  check(MPI_File_open(MPI_COMM_WORLD, bench.options.file, mode, MPI_INFO_NULL, &file),
        bench.options.file);
}

static void create(const ArrayJob* job) {
  find_places(job);
  open_file(job, 1);
}

/* Writes in calls of at most 2^31 - 1 bytes. All ranks make the same number of calls. */
static void write_together(unsigned char* data, uint64_t size, uint64_t at, uint64_t most) {
  for (uint64_t done = 0; done == 0 || done < most; done += kAtOnce) {
    const uint64_t left = done < size ? size - done : 0;
    check(
        MPI_File_write_at_all(file, (MPI_Offset)(at + done), data + (left > 0 ? done : 0),
                              (int)(left < kAtOnce ? left : kAtOnce), MPI_BYTE, MPI_STATUS_IGNORE),
        "write");
  }
}

/* Writes whole rows only, since a part of columns is not contiguous. The last rank writes arrays
 * that all ranks have. */
static void write_arrays(const ArrayJob* job) {
  for (int a = 0; a < job->count; ++a) {
    const BenchArray* array = &job->arrays[a];
    if (is_metadata(array)) continue;
    const ArrayPart part = arrays_own_part(job, a);
    if (array->parts[1] != 1) bench_fail("--arrays", "this program has parts of rows only");
    const int is_mine = !is_for_all(array) || bench.rank == bench.ranks - 1;
    write_together(job->data[a], is_mine ? arrays_bytes(array, &part) : 0,
                   places.at[a] + part.start[0] * array->shape[1] * array->element, size_of(array));
  }
}

/* Writes as HDF5's collective metadata writes do: one datatype contains all pieces of a rank. */
static void write_scattered(const ArrayJob* job) {
  static int lengths[BENCH_MOST_ARRAYS];
  static MPI_Aint from[BENCH_MOST_ARRAYS], to[BENCH_MOST_ARRAYS];
  int count = 0;
  for (int a = 0; a < job->count; ++a) {
    if (!is_metadata(&job->arrays[a]) || a % bench.ranks != bench.rank) continue;
    lengths[count] = (int)size_of(&job->arrays[a]);
    to[count] = (MPI_Aint)places.at[a];
    check(MPI_Get_address(job->data[a], &from[count]), "address");
    ++count;
  }
  MPI_Datatype memory, pieces;
  check(MPI_Type_create_hindexed(count, lengths, from, MPI_BYTE, &memory), "type");
  check(MPI_Type_create_hindexed(count, lengths, to, MPI_BYTE, &pieces), "type");
  check(MPI_Type_commit(&memory), "type");
  check(MPI_Type_commit(&pieces), "type");
  check(
      MPI_File_set_view(file, 0, MPI_BYTE, count > 0 ? pieces : MPI_BYTE, "native", MPI_INFO_NULL),
      "view");
  check(MPI_File_write_at_all(file, 0, MPI_BOTTOM, count > 0 ? 1 : 0, memory, MPI_STATUS_IGNORE),
        "metadata");
  check(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "view");
  MPI_Type_free(&memory);
  MPI_Type_free(&pieces);
}

static void write_blocks(const ArrayJob* job) {
  const uint64_t size = places.end - places.blocks;
  unsigned char* const blocks = (unsigned char*)calloc(1, size + 1);
  if (blocks == NULL) bench_fail("blocks", "out of memory");
  for (int a = 0; a < job->count; ++a) {
    const BenchArray* array = &job->arrays[a];
    if (is_metadata(array))
      memcpy(blocks + (places.at[a] - places.blocks), job->data[a], size_of(array));
  }
  const int writers = has_word("blocks") && bench.ranks > 1 ? 2 : 1;
  for (uint64_t at = 0; at < size; at += kBlock)
    if ((int)(at / kBlock) % writers == bench.rank)
      check(MPI_File_write_at(file, (MPI_Offset)(places.blocks + at), blocks + at, kBlock, MPI_BYTE,
                              MPI_STATUS_IGNORE),
            "block");
  free(blocks);
}

static void write_metadata(const ArrayJob* job) {
  if (has_word("block"))
    write_blocks(job);
  else
    write_scattered(job);
}

static int is_read_only;

static void close_file(const ArrayJob* job) {
  (void)job;
  if (has_word("set_size") && !is_read_only)
    check(MPI_File_set_size(file, (MPI_Offset)places.end), "set_size");
  if (has_word("truncate") && !is_read_only) {
    if (bench.rank == 0 && truncate(bench.options.file, (off_t)places.end) != 0)
      bench_fail(bench.options.file, "cannot be truncated");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  check(MPI_File_close(&file), "close");
}

/* Shares what ranks read of an array. `reader` reads for this rank; -1 if no rank does. */
static void share(const ArrayJob* job, int a, int reader, unsigned char* bytes, int length) {
  if (has_word("broadcast"))
    check(MPI_Bcast(bytes, length, MPI_BYTE, reader, MPI_COMM_WORLD), "broadcast");
  if (!has_word("send")) return;
  if (reader != bench.rank) {
    check(MPI_Recv(bytes, length, MPI_BYTE, reader, a, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "receive");
    return;
  }
  const int own = arrays_read_rank(job, a, bench.rank);
  for (int rank = bench.rank + 1; rank < bench.ranks; ++rank)
    if (arrays_read_rank(job, a, rank) == own)
      check(MPI_Send(bytes, length, MPI_BYTE, rank, a, MPI_COMM_WORLD), "send");
}

static int reader_for(const ArrayJob* job, int a) {
  if (!has_word("send")) return has_word("broadcast") ? 0 : -1;
  int reader = 0;
  while (arrays_read_rank(job, a, reader) != arrays_read_rank(job, a, bench.rank)) ++reader;
  return reader;
}

static void read_array(const ArrayJob* job, int a) {
  const BenchArray* array = &job->arrays[a];
  const ArrayPart part = arrays_read_part(job, a);
  const uint64_t size = arrays_bytes(array, &part);
  const uint64_t at = places.at[a] + part.start[0] * array->shape[1] * array->element;
  const int reader = reader_for(job, a);
  for (uint64_t done = 0; done < size; done += kAtOnce) {
    const int length = (int)(size - done < kAtOnce ? size - done : kAtOnce);
    const MPI_Offset offset = (MPI_Offset)(at + done);
    unsigned char* const to = job->read[a] + done;
    if (reader == bench.rank || has_word("independent"))
      check(MPI_File_read_at(file, offset, to, length, MPI_BYTE, MPI_STATUS_IGNORE), "read");
    else if (reader < 0)
      check(MPI_File_read_at_all(file, offset, to, length, MPI_BYTE, MPI_STATUS_IGNORE), "read");
    share(job, a, reader, to, length);
  }
}

static void open_again(const ArrayJob* job, int writable) {
  is_read_only = !writable;
  open_file(job, writable);
}

static void read_arrays(const ArrayJob* job) {
  for (int a = 0; a < job->count; ++a) read_array(job, a);
}

static void nothing(const ArrayJob* job) { (void)job; }

int main(int argc, char** argv) {
  plain_begin(&bench, argc, argv);
  const ArrayCalls calls = {create,     write_arrays, write_metadata, close_file,
                            open_again, read_arrays,  nothing};
  arrays_run(&bench, &calls, NULL);
  return plain_end(&bench);
}
