// Onecast reads the pieces: each by a collective call, all by one collective call, each
// independently, or each from data that all ranks got beforehand.
#include <span>

#include "../programs/onecast_program.hpp"
#include "pieces.h"

namespace {

using onecast::Dataset;
using onecast::File;

std::span<std::byte> bytes_of(const Pieces& pieces, std::uint64_t number) {
  return std::as_writable_bytes(std::span(bench_piece(&pieces, number), pieces.size));
}

template <class Read>
void read_each(const Pieces& pieces, const Read& read) {
  for (std::uint64_t i = 0; i < pieces.count; ++i) {
    const onecast::Hyperslab part{{i, 0}, {1, pieces.size}};
    read(bytes_of(pieces, i), part);
  }
}

void read_pieces(const Dataset& dataset, const Pieces& pieces, std::string_view setting) {
  if (setting == "read_all_each")
    read_each(pieces, [&](auto out, const auto& part) { dataset.read_all(out, part); });
  else if (setting == "read_all_each_trust")
    read_each(pieces, [&](auto out, const auto& part) {
      dataset.read_all(out, {.part = part, .sharing = onecast::Sharing::trust});
    });
  else if (setting == "read_all_once")
    dataset.read_all(std::as_writable_bytes(std::span(pieces.data, pieces.count * pieces.size)));
  else if (setting == "independent" || setting == "preloaded")
    read_each(pieces, [&](auto out, const auto& part) { dataset.read(out, part); });
  else
    bench_fail("setting", "is none of this program");
}

void run(Bench& bench, const Pieces& pieces) {
  const std::string_view setting = bench.options.setting;
  onecast::FileOptions options;
  if (setting == "preloaded") options.small_data_limit = pieces.count * pieces.size;
  bench_step_begin(&bench, "small_reads", "open");
  File file =
      File::open(bench.options.file, onecast::Access::read_only, onecast_bench::world(), options);
  if (setting == "preloaded") file.prefetch_all();
  const Dataset dataset = file.root().open_dataset(BENCH_PIECES_DATASET);
  bench_step_end(&bench);
  bench_step_begin(&bench, "small_reads", "read");
  read_pieces(dataset, pieces, setting);
  bench_step_end(&bench);
  file.close();
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_program(argc, argv, [](Bench& bench) {
    Pieces pieces = bench_pieces(&bench);
    run(bench, pieces);
    bench_check_pieces(&pieces);
  });
}
