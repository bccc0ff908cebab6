#include <string>

#include "capi/arguments.hpp"
#include "capi/communicator.hpp"
#include "capi/file_options.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "comm/agreement.hpp"
#include "onecast/comm/mpi.hpp"
#include "onecast/onecast_mpi.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

struct OpenArguments {
  std::string path;
  Access access;
  FileOptions options;
};

/// Checks the arguments of all ranks. If one rank's are wrong, all ranks throw: otherwise the
/// others would wait for it.
OpenArguments agreed(const Communicator& communicator, const char* path, onecast_access access,
                     const onecast_file_options* options, onecast_file** file) {
  return agree(communicator.backend(), [&] {
    required(file, "file");
    return OpenArguments{required_text(path, "path"), access_of(access), file_options_of(options)};
  });
}

}  // namespace

onecast_status onecast_communicator_mpi(MPI_Comm comm, onecast_communicator** communicator) {
  return guard_making(communicator, [&] {
    const Communicator made = mpi_communicator(comm);
    *agree(made.backend(), [&] { return &required(communicator, "communicator"); }) =
        new onecast_communicator{made};
  });
}

onecast_status onecast_communicator_mpi_fortran(MPI_Fint comm,
                                                onecast_communicator** communicator) {
  return onecast_communicator_mpi(MPI_Comm_f2c(comm), communicator);
}

onecast_status onecast_file_create_mpi(const char* path, MPI_Comm comm,
                                       const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    const Communicator communicator = mpi_communicator(comm);
    const auto given = agreed(communicator, path, ONECAST_READ_WRITE, options, file);
    *file = new onecast_file{File::create(given.path, communicator, given.options)};
  });
}

onecast_status onecast_file_open_mpi(const char* path, onecast_access access, MPI_Comm comm,
                                     const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    const Communicator communicator = mpi_communicator(comm);
    const auto given = agreed(communicator, path, access, options, file);
    *file = new onecast_file{File::open(given.path, given.access, communicator, given.options)};
  });
}

onecast_status onecast_file_create_mpi_fortran(const char* path, MPI_Fint comm,
                                               const onecast_file_options* options,
                                               onecast_file** file) {
  return onecast_file_create_mpi(path, MPI_Comm_f2c(comm), options, file);
}

onecast_status onecast_file_open_mpi_fortran(const char* path, onecast_access access, MPI_Fint comm,
                                             const onecast_file_options* options,
                                             onecast_file** file) {
  return onecast_file_open_mpi(path, access, MPI_Comm_f2c(comm), options, file);
}

onecast_status onecast_hints_of_info(MPI_Info info, size_t* count, onecast_hint** hints) {
  return guard_listing(hints, count, [&] {
    required(count, "count");
    required(hints, "hints");
    const auto found = hints_of(info);
    std::size_t bytes = 0;
    for (const auto& [name, value] : found) bytes += name.size() + value.size() + 2;
    ReturnedBlock block(found.size(), sizeof(onecast_hint), bytes);
    auto* next = block.entries<onecast_hint>();
    for (const auto& [name, value] : found) *next++ = {block.put(name), block.put(value)};
    *count = found.size();
    *hints = static_cast<onecast_hint*>(block.release());
  });
}

onecast_status onecast_hints_of_info_fortran(MPI_Fint info, size_t* count, onecast_hint** hints) {
  return onecast_hints_of_info(MPI_Info_f2c(info), count, hints);
}
