// The Onecast side of `onecast bench metadata`: see README.md, "The contract".
#include <optional>

#include "../programs/onecast_program.hpp"
#include "onecast_workload.hpp"

namespace {

using onecast::Access;
using onecast::File;
using onecast_bench::Walk;

std::optional<Contents> run(Bench& bench) {
  const BenchOptions& o = bench.options;
  const onecast::Communicator world = onecast_bench::world();
  if (bench_has_phase(&bench, "create")) {
    bench_step_begin(&bench, "create", "fill");
    File file = File::create(o.file, world);
    onecast_bench::fill(file, o.bases, o.zones);
    bench_step_end(&bench);
    bench_step_begin(&bench, "create", "flush");
    file.flush();
    bench_step_end(&bench);
    bench_step_begin(&bench, "create", "close");
    file.close();
    bench_step_end(&bench);
  }
  std::optional<Contents> contents;
  if (bench_has_phase(&bench, "open_read")) {
    contents.emplace();
    bench_step_begin(&bench, "open_read", "open");
    File file = File::open(o.file, Access::read_only, world);
    bench_step_end(&bench);
    bench_step_begin(&bench, "open_read", "read");
    digest_enabled = 0;
    Walk(*contents).group(file.root());
    bench_step_end(&bench);
    bench_step_begin(&bench, "verify", "read");
    digest_enabled = 1;
    contents.emplace();
    Walk(*contents).group(file.root());
    bench_step_end(&bench);
    bench_step_begin(&bench, "open_read", "close");
    file.close();
    bench_step_end(&bench);
  }
  if (bench_has_phase(&bench, "close_unmodified")) {
    bench_step_begin(&bench, "close_unmodified", "open");
    File file = File::open(o.file, Access::read_write, world);
    bench_step_end(&bench);
    bench_step_begin(&bench, "close_unmodified", "close");
    file.close();
    bench_step_end(&bench);
  }
  return contents;
}

}  // namespace

int main(int argc, char** argv) { return onecast_bench::run_program(argc, argv, run); }
