// Onecast writes the pieces: each rank writes all of its own by one call, independent or
// collective.
#include <span>

#include "../programs/onecast_program.hpp"
#include "interleaved.h"

namespace {

using onecast::Dataset;
using onecast::File;
using onecast::Selection;

struct Target {
  File& file;
  Bench& bench;
  Dataset dataset;
  Selection part;
  bool together;
};

Selection part_of(const Bench& bench, const Interleaved& pieces) {
  if (pieces.mine == 0) return Selection::none();
  const std::uint64_t stride = static_cast<std::uint64_t>(bench.ranks) * pieces.size;
  return onecast::Hyperslab{
      {interleaved_at(&bench, &pieces, 0)}, {pieces.mine}, {stride}, {pieces.size}};
}

void write_pieces(void* context, const Interleaved* pieces) {
  auto& to = *static_cast<Target*>(context);
  const auto bytes = std::as_bytes(std::span(pieces->data, pieces->mine * pieces->size));
  if (to.together)
    to.dataset.write_all(bytes, to.part);
  else
    to.dataset.write(bytes, to.part);
  const onecast::IoStats stats = to.file.io_stats();
  to.bench.spent = {1e-9 * static_cast<double>(stats.file_nanoseconds),
                    1e-9 * static_cast<double>(stats.exchange_nanoseconds)};
}

void read_all(const Bench* bench, const Interleaved* pieces, unsigned char* out) {
  const File file = File::open(bench->options.file);
  file.root()
      .open_dataset(BENCH_PIECES_DATASET)
      .read(std::as_writable_bytes(std::span(out, pieces->count * pieces->size)),
            onecast::Hyperslab{{pieces->shift}, {pieces->count * pieces->size}});
}

void run(Bench& bench, const Interleaved& pieces) {
  bench_step_begin(&bench, "small_writes", "create");
  const std::string_view setting = bench.options.setting;
  onecast::FileOptions options;
  options.method = onecast_bench::method_of(setting);
  options.mpi_io = setting == "mpi_io";
  File file = File::create(bench.options.file, onecast_bench::world(), options);
  Target target{file, bench,
                file.root().create_dataset(BENCH_PIECES_DATASET,
                                           {onecast::Datatype::of<std::uint8_t>(),
                                            onecast::Dataspace({interleaved_end(&pieces)})}),
                part_of(bench, pieces), setting != "independent"};
  file.flush();
  bench_step_end(&bench);
  interleaved_write(&bench, &pieces, write_pieces, &target);
  bench_step_begin(&bench, "small_writes", "close");
  file.close();
  bench_step_end(&bench);
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_program(argc, argv, [](Bench& bench) {
    Interleaved pieces = interleaved_begin(&bench);
    run(bench, pieces);
    interleaved_check(&bench, &pieces, read_all);
  });
}
