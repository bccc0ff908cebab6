// The Onecast side of `onecast bench independent`: groups and datasets of each rank, created by
// that rank alone or by all ranks.
#include <string>
#include <vector>

#include "../programs/onecast_program.hpp"

namespace {

using onecast::Communicator;
using onecast::File;
using onecast::Group;

/// Creates `count` groups, each with a dataset and an attribute, below "rank R".
void create_part(const File& file, int rank, int count) {
  Group part = file.root().create_group("rank " + std::to_string(rank));
  for (int i = 0; i < count; ++i) {
    Group group = part.create_group("group " + std::to_string(i));
    group.set_attribute("number", i);
    group.create_dataset("data", {9}, std::vector<double>(9, rank + 0.5 * i));
  }
}

void run(Bench& bench, bool alone) {
  const Communicator world = onecast_bench::world();
  File file = File::create(bench.options.file, world);
  bench_step_begin(&bench, "create", "fill");
  if (alone) {
    const auto block = file.independent();
    create_part(file, bench.rank, bench.options.bases);
  } else {
    for (int r = 0; r < bench.ranks; ++r) create_part(file, r, bench.options.bases);
  }
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "flush");
  file.flush();
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "close");
  file.close();
  bench_step_end(&bench);
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_program(argc, argv, [](Bench& bench) {
    run(bench, std::string_view(bench.options.setting) == "alone");
  });
}
