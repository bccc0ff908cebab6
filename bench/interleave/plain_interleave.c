/* MPI-IO writes the pieces: each by a call of its own ("independent"), or all by one collective
 * call ("collective"). With "calls", system calls write each piece. */
#include "../programs/plain_program.h"
#include "interleaved.h"

static Bench bench;
static MPI_File file;
static int descriptor;

static void write_calls(void* unused, const Interleaved* pieces) {
  (void)unused;
  const uint64_t size = pieces->size;
  for (uint64_t i = 0; i < pieces->mine; ++i)
    plain_write(descriptor, pieces->data + i * size, size, interleaved_at(&bench, pieces, i));
}

static void write_each(void* unused, const Interleaved* pieces) {
  (void)unused;
  const uint64_t size = pieces->size;
  for (uint64_t i = 0; i < pieces->mine; ++i)
    check(MPI_File_write_at(file, (MPI_Offset)interleaved_at(&bench, pieces, i),
                            pieces->data + i * size, (int)size, MPI_BYTE, MPI_STATUS_IGNORE),
          "write");
}

static void write_together(void* unused, const Interleaved* pieces) {
  (void)unused;
  check(MPI_File_write_at_all(file, 0, pieces->data, (int)(pieces->mine * pieces->size), MPI_BYTE,
                              MPI_STATUS_IGNORE),
        "collective write");
}

/* Sets this rank's file view: every n-th piece. */
static void view_own_pieces(const Interleaved* pieces) {
  const int size = (int)pieces->size;
  MPI_Datatype own;
  check(MPI_Type_vector((int)pieces->mine, size, size * bench.ranks, MPI_BYTE, &own), "datatype");
  check(MPI_Type_commit(&own), "datatype");
  const MPI_Offset first = (MPI_Offset)interleaved_at(&bench, pieces, 0);
  check(MPI_File_set_view(file, pieces->mine > 0 ? first : 0, MPI_BYTE,
                          pieces->mine > 0 ? own : MPI_BYTE, "native", MPI_INFO_NULL),
        "view");
  check(MPI_Type_free(&own), "datatype");
}

static void read_all(const Bench* all, const Interleaved* pieces, unsigned char* out) {
  const int opened = plain_open(all, O_RDONLY);
  plain_read(opened, out, pieces->count * pieces->size, pieces->shift);
  close(opened);
}

static int is_setting(const char* name) { return strcmp(bench.options.setting, name) == 0; }

int main(int argc, char** argv) {
  plain_begin(&bench, argc, argv);
  Interleaved pieces = interleaved_begin(&bench);
  const int calls = is_setting("calls");
  const int collective = is_setting("collective");
  bench_step_begin(&bench, "small_writes", "create");
  if (calls)
    descriptor = plain_open(&bench, O_CREAT | O_WRONLY);
  else
    check(MPI_File_open(MPI_COMM_WORLD, bench.options.file, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                        MPI_INFO_NULL, &file),
          bench.options.file);
  if (collective) view_own_pieces(&pieces);
  bench_step_end(&bench);
  interleaved_write(&bench, &pieces,
                    calls        ? write_calls
                    : collective ? write_together
                                 : write_each,
                    NULL);
  bench_step_begin(&bench, "small_writes", "close");
  if (calls)
    close(descriptor);
  else
    check(MPI_File_close(&file), "close");
  bench_step_end(&bench);
  interleaved_check(&bench, &pieces, read_all);
  return plain_end(&bench);
}
