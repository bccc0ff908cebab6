// Onecast writes one compressed dataset: the other side of stock_write.c.
#include "../programs/onecast_program.hpp"
#include "write_job.h"

namespace {

using onecast::Filter;

void write_file(const WriteJob& job) {
  onecast::File file = onecast::File::create(job.file, onecast_bench::world());
  onecast::DatasetOptions options;
  options.chunk = {kChunkRows, kColumns};
  if (job.is_zstd)
    options.filters = {Filter::zstd(3)};
  else
    options.filters = {Filter::shuffle(), Filter::deflate(4)};
  onecast::Dataset dataset =
      file.root().create_dataset("x", {.type = onecast::Datatype::of<std::int32_t>(),
                                       .space = onecast::Shape{job.rows, kColumns},
                                       .options = options});
  dataset.write_all(std::as_bytes(std::span(job.values, job.mine * kColumns)),
                    onecast::Hyperslab{{job.first, 0}, {job.mine, kColumns}});
  file.close();
}

}  // namespace

int main(int argc, char** argv) {
  return onecast_bench::run_program(argc, argv, [](Bench& bench) {
    const WriteJob job = write_job(&bench);
    bench_step_begin(&bench, "write", "file");
    write_file(job);
    bench_step_end(&bench);
    free(job.values);
  });
}
