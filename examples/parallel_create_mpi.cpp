// Many ranks create a file together. Creating groups, datasets and attributes sends no message: all
// ranks make the same calls, and the one flush at the end writes each page of metadata once. The
// file is the same, byte by byte, on any number of ranks.

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kElements = 100'000;

int run() {
  const onecast::Communicator world = onecast::mpi_communicator(MPI_COMM_WORLD);
  const auto rank = static_cast<std::uint64_t>(world.rank());
  const auto size = static_cast<std::uint64_t>(world.size());

  onecast::File file = onecast::File::create("parallel_create.h5", world);
  for (int zone = 0; zone < 100; ++zone) {
    onecast::Group group = file.root().create_group("zone " + std::to_string(zone));
    group.set_attribute("number", zone);
  }

  // Each rank writes its own elements, in one collective call.
  onecast::Dataset dataset =
      file.root().create_dataset("x", {onecast::Datatype::of<double>(), onecast::Shape{kElements}});
  const std::uint64_t first = kElements * rank / size;
  const std::uint64_t count = kElements * (rank + 1) / size - first;
  std::vector<double> mine(count);
  std::iota(mine.begin(), mine.end(), static_cast<double>(first));
  dataset.write_all(mine, onecast::Hyperslab{{first}, {count}});
  file.close();

  // Rank 0 reads and broadcasts.
  file = onecast::File::open("parallel_create.h5", onecast::Access::read_only, world);
  const int number = file.root().open_group("zone 42").attribute("number").read<int>().front();
  const auto all = file.root().open_dataset("x").read_all<double>();
  const onecast::IoStats stats = file.io_stats();
  std::printf("rank %llu: %llu reads, %llu collectives\n", static_cast<unsigned long long>(rank),
              static_cast<unsigned long long>(stats.reads),
              static_cast<unsigned long long>(stats.collectives));
  file.close();
  return number == 42 && all.back() == kElements - 1 ? 0 : 1;
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
