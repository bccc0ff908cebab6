// Onecast writes the pieces: each rank all of its own by one call, alone or together.
#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
#include <span>
#include <string_view>

#include "interleaved.h"

namespace {

using onecast::Dataset;
using onecast::File;
using onecast::Selection;

struct Target {
  Dataset dataset;
  Selection part;
  bool together;
};

Selection part_of(const Bench& bench, const Interleaved& pieces) {
  if (pieces.mine == 0) return Selection::none();
  const auto rank = static_cast<std::uint64_t>(bench.rank);
  const auto ranks = static_cast<std::uint64_t>(bench.ranks);
  return onecast::Hyperslab{{rank, 0}, {pieces.mine, pieces.size}, {ranks, 1}, {}};
}

void write_pieces(void* context, const Interleaved* pieces) {
  auto& to = *static_cast<Target*>(context);
  const auto bytes = std::as_bytes(std::span(pieces->data, pieces->mine * pieces->size));
  if (to.together)
    to.dataset.write_all(bytes, to.part);
  else
    to.dataset.write(bytes, to.part);
}

void read_all(const Bench* bench, const Interleaved* pieces, unsigned char* out) {
  const File file = File::open(bench->options.file);
  file.root()
      .open_dataset(BENCH_PIECES_DATASET)
      .read(std::as_writable_bytes(std::span(out, pieces->count * pieces->size)));
}

void run(Bench& bench, const Interleaved& pieces) {
  bench_step_begin(&bench, "small_writes", "create");
  File file = File::create(bench.options.file, onecast::mpi_communicator(MPI_COMM_WORLD));
  Target target{
      file.root().create_dataset(BENCH_PIECES_DATASET, onecast::Datatype::of<std::uint8_t>(),
                                 onecast::Dataspace({pieces.count, pieces.size})),
      part_of(bench, pieces), std::string_view(bench.options.setting) == "collective"};
  file.flush();
  bench_step_end(&bench);
  interleaved_write(&bench, &pieces, write_pieces, &target);
  bench_step_begin(&bench, "small_writes", "close");
  file.close();
  bench_step_end(&bench);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Bench bench;
  bench_begin(&bench, argc, argv);
  Interleaved pieces = interleaved_begin(&bench);
  try {
    run(bench, pieces);
    interleaved_check(&bench, &pieces, read_all);
  } catch (const std::exception& error) {
    bench_fail("onecast", error.what());
  }
  bench_report(&bench, "onecast", "Onecast " ONECAST_VERSION, nullptr);
  MPI_Finalize();
}
