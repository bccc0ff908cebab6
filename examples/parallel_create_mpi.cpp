// Many ranks create a file together. Creating groups, datasets and attributes sends no message: all
// ranks make the same calls, and the one flush at the end writes each page of metadata once.

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kRows = 1000;

int run() {
  const onecast::Communicator world = onecast::mpi_communicator(MPI_COMM_WORLD);
  const auto rank = static_cast<std::uint64_t>(world.rank());
  const auto size = static_cast<std::uint64_t>(world.size());

  onecast::File file = onecast::File::create("parallel_create.h5", world);
  for (int zone = 0; zone < 100; ++zone) {
    onecast::Group group = file.root().create_group("zone " + std::to_string(zone));
    group.set_attribute("number", zone);
  }

  // Raw data: each rank writes its own rows, together.
  onecast::Dataset rows =
      file.root().create_dataset("rows", onecast::Datatype::of<double>(), onecast::Shape{kRows, 3});
  const std::uint64_t first = kRows * rank / size;
  const std::uint64_t count = kRows * (rank + 1) / size - first;
  rows.write_all(std::vector<double>(count * 3, static_cast<double>(rank)),
                 onecast::Hyperslab{{first, 0}, {count, 3}, {}, {}});
  file.close();

  // One rank reads the metadata, and all hear it.
  file = onecast::File::open("parallel_create.h5", onecast::Access::read_only, world);
  const int number = file.root().open_group("zone 42").attribute("number").read<int>().front();
  const auto all = file.root().open_dataset("rows").read_all<double>();
  const onecast::IoStats stats = file.io_stats();
  std::printf("rank %llu: %llu reads, %llu collectives\n", static_cast<unsigned long long>(rank),
              static_cast<unsigned long long>(stats.reads),
              static_cast<unsigned long long>(stats.collectives));
  const bool mine =
      std::all_of(all.begin() + static_cast<std::ptrdiff_t>(first * 3),
                  all.begin() + static_cast<std::ptrdiff_t>((first + count) * 3),
                  [rank](double value) { return value == static_cast<double>(rank); });
  file.close();
  return number == 42 && mine ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 1;
  try {
    result = run();
  } catch (const onecast::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (result != 0) MPI_Abort(MPI_COMM_WORLD, result);
  MPI_Finalize();
  return 0;
}
