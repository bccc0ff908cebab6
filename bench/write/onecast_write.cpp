// Onecast writes one compressed dataset: the other side of stock_write.c.
#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
#include <string_view>

#include "write_job.h"

namespace {

using onecast::Filter;

void write_file(const WriteJob& job) {
  onecast::File file = onecast::File::create(job.file, onecast::mpi_communicator(MPI_COMM_WORLD));
  onecast::DatasetOptions options;
  options.chunk = {kChunkRows, kColumns};
  if (std::string_view(job.way) == "zstd")
    options.filters = {Filter::zstd(3)};
  else
    options.filters = {Filter::shuffle(), Filter::deflate(4)};
  onecast::Dataset dataset = file.root().create_dataset(
      "x", onecast::Datatype::of<std::int32_t>(), onecast::Shape{job.rows, kColumns}, {}, options);
  dataset.write_all(std::as_bytes(std::span(job.values, job.mine * kColumns)),
                    onecast::Hyperslab{{job.first, 0}, {job.mine, kColumns}, {}, {}});
  file.close();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  WriteJob job = write_job_begin(argc, argv);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  try {
    write_file(job);
  } catch (const onecast::Error& error) {
    write_job_fail(job.file, error.what());
  }
  write_job_end(&job, MPI_Wtime() - start);
  MPI_Finalize();
  return 0;
}
