/* MPI-IO writes the pieces: each by a call of its own, or all by a collective one. */
#include "../programs/plain_program.h"
#include "interleaved.h"

static Bench bench;
static MPI_File file;

static void write_each(void* unused, const Interleaved* pieces) {
  (void)unused;
  const uint64_t size = pieces->size;
  for (uint64_t i = 0; i < pieces->mine; ++i) {
    const uint64_t number = (uint64_t)bench.rank + i * (uint64_t)bench.ranks;
    check(MPI_File_write_at(file, (MPI_Offset)(number * size), pieces->data + i * size, (int)size,
                            MPI_BYTE, MPI_STATUS_IGNORE),
          "write");
  }
}

static void write_together(void* unused, const Interleaved* pieces) {
  (void)unused;
  check(MPI_File_write_at_all(file, 0, pieces->data, (int)(pieces->mine * pieces->size), MPI_BYTE,
                              MPI_STATUS_IGNORE),
        "collective write");
}

/* The file, as far as this rank writes it: every n-th piece. */
static void view_own_pieces(const Interleaved* pieces) {
  const int size = (int)pieces->size;
  MPI_Datatype own;
  check(MPI_Type_vector((int)pieces->mine, size, size * bench.ranks, MPI_BYTE, &own), "datatype");
  check(MPI_Type_commit(&own), "datatype");
  const MPI_Offset first = (MPI_Offset)bench.rank * size;
  check(MPI_File_set_view(file, pieces->mine > 0 ? first : 0, MPI_BYTE,
                          pieces->mine > 0 ? own : MPI_BYTE, "native", MPI_INFO_NULL),
        "view");
  check(MPI_Type_free(&own), "datatype");
}

static void read_all(const Bench* all, const Interleaved* pieces, unsigned char* out) {
  const int opened = plain_open(all, O_RDONLY);
  plain_read(opened, out, pieces->count * pieces->size, 0);
  close(opened);
}

int main(int argc, char** argv) {
  plain_begin(&bench, argc, argv);
  Interleaved pieces = interleaved_begin(&bench);
  const int collective = strcmp(bench.options.setting, "collective") == 0;
  bench_step_begin(&bench, "small_writes", "create");
  check(MPI_File_open(MPI_COMM_WORLD, bench.options.file, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &file),
        bench.options.file);
  if (collective) view_own_pieces(&pieces);
  bench_step_end(&bench);
  interleaved_write(&bench, &pieces, collective ? write_together : write_each, NULL);
  bench_step_begin(&bench, "small_writes", "close");
  check(MPI_File_close(&file), "close");
  bench_step_end(&bench);
  interleaved_check(&bench, &pieces, read_all);
  return plain_end(&bench);
}
