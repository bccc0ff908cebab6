/* Plain MPI reads the pieces: all ranks through MPI-IO, or one rank, which broadcasts them. */
#include "../programs/plain_program.h"
#include "pieces.h"

static Bench bench;
static Pieces pieces;

static MPI_Offset offset_of(uint64_t number) { return (MPI_Offset)(number * pieces.size); }

static void read_by_all(int collective) {
  MPI_File file;
  bench_step_begin(&bench, "small_reads", "open");
  check(MPI_File_open(MPI_COMM_WORLD, bench.options.file, MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
        bench.options.file);
  bench_step_end(&bench);
  bench_step_begin(&bench, "small_reads", "read");
  const int size = (int)pieces.size;
  for (uint64_t i = 0; i < pieces.count; ++i) {
    unsigned char* piece = bench_piece(&pieces, i);
    check(collective
              ? MPI_File_read_at_all(file, offset_of(i), piece, size, MPI_BYTE, MPI_STATUS_IGNORE)
              : MPI_File_read_at(file, offset_of(i), piece, size, MPI_BYTE, MPI_STATUS_IGNORE),
          "read");
  }
  bench_step_end(&bench);
  check(MPI_File_close(&file), "close");
}

static void read_by_one(int broadcast_each) {
  int file = -1;
  bench_step_begin(&bench, "small_reads", "open");
  if (bench.rank == 0) file = plain_open(&bench, O_RDONLY);
  bench_step_end(&bench);
  bench_step_begin(&bench, "small_reads", "read");
  for (uint64_t i = 0; i < pieces.count; ++i) {
    if (file >= 0) plain_read(file, bench_piece(&pieces, i), pieces.size, i * pieces.size);
    if (broadcast_each) {
      check(MPI_Bcast(bench_piece(&pieces, i), (int)pieces.size, MPI_BYTE, 0, MPI_COMM_WORLD),
            "broadcast");
    }
  }
  if (!broadcast_each) {
    const uint64_t all = pieces.count * pieces.size;
    check(MPI_Bcast(pieces.data, (int)all, MPI_BYTE, 0, MPI_COMM_WORLD), "broadcast");
  }
  bench_step_end(&bench);
  if (file >= 0) close(file);
}

int main(int argc, char** argv) {
  plain_begin(&bench, argc, argv);
  pieces = bench_pieces(&bench);
  const char* setting = bench.options.setting;
  if (strcmp(setting, "collective") == 0 || strcmp(setting, "independent") == 0)
    read_by_all(setting[0] == 'c');
  else if (strcmp(setting, "one_broadcast") == 0 || strcmp(setting, "broadcast_each") == 0)
    read_by_one(setting[0] == 'b');
  else
    bench_fail(setting, "is no setting of this program");
  bench_check_pieces(&pieces);
  return plain_end(&bench);
}
