// All ranks create a file together and read it back.

#include <mpi.h>

#include <cstdint>
#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const onecast::Communicator comm = onecast::mpi_communicator(MPI_COMM_WORLD);
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    const auto size = static_cast<std::uint64_t>(comm.size());

    // All ranks create the same objects. These calls send no messages.
    onecast::File file = onecast::File::create("quickstart.h5", comm);
    onecast::Group zone = file.root().create_group("base/zone");
    zone.set_attribute("family", "wing");
    onecast::Dataset x =
        zone.create_dataset("x", {onecast::Datatype::of<double>(), onecast::Shape{size, 3}});

    // Each rank writes its own row, in one collective call.
    x.write_all(std::vector<double>(3, static_cast<double>(rank)), x.rows(rank, rank + 1));
    file.close();  // writes each page of metadata once

    // Rank 0 reads the dataset and broadcasts it.
    file = onecast::File::open("quickstart.h5", onecast::Access::read_only, comm);
    const auto all = file.root().open_dataset("base/zone/x").read_all<double>();
    file.close();
    if (all.back() != static_cast<double>(size - 1)) MPI_Abort(MPI_COMM_WORLD, 1);
  }  // the communicator is released before MPI_Finalize
  MPI_Finalize();
}
