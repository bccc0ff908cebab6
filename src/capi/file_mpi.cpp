#include <string>

#include "capi/arguments.hpp"
#include "capi/communicator.hpp"
#include "capi/file_options.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "comm/agreement.hpp"
#include "comm/communicator_access.hpp"
#include "onecast/capi/mpi.h"
#include "onecast/comm/any_mpi.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

struct AgreedArguments {
  std::string path;
  Access access;
  FileOptions options;
};

/// Checks the arguments of all ranks. If one rank's are wrong, all ranks throw: otherwise the
/// others would wait for it.
AgreedArguments agreed(const Communicator& communicator, const char* path, onecast_access access,
                       const onecast_file_options* options, onecast_file** file) {
  return agree(comm::backend_of(communicator), [&] {
    required(file, "file");
    return AgreedArguments{required_text(path, "path"), access_of(access),
                           file_options_of(options)};
  });
}

MpiHandle handle_of(const onecast_mpi_handle* handle, const char* name) {
  const onecast_mpi_handle& given = required(handle, name);
  required(static_cast<const char*>(given.bytes), name);
  return {given.bytes, given.size, given.library};
}
MpiHandle handle_of(const onecast_mpi_handle* comm) { return handle_of(comm, "comm"); }
MpiHandle handle_of(int comm) { return MpiHandle::of_fortran(comm); }

/// @param comm a handle of C or of Fortran
template <class Comm>
onecast_status make_communicator(Comm comm, onecast_communicator** communicator) {
  return guard_making(communicator, [&] {
    const Communicator made = mpi_communicator(handle_of(comm));
    *agree(comm::backend_of(made), [&] { return &required(communicator, "communicator"); }) =
        new onecast_communicator{made};
  });
}

template <class Comm>
onecast_status create_file(const char* path, Comm comm, const onecast_file_options* options,
                           onecast_file** file) {
  return guard_making(file, [&] {
    const Communicator communicator = mpi_communicator(handle_of(comm));
    const auto given = agreed(communicator, path, ONECAST_READ_WRITE, options, file);
    *file = new onecast_file{File::create(given.path, communicator, given.options)};
  });
}

template <class Comm>
onecast_status open_file(const char* path, onecast_access access, Comm comm,
                         const onecast_file_options* options, onecast_file** file) {
  return guard_making(file, [&] {
    const Communicator communicator = mpi_communicator(handle_of(comm));
    const auto given = agreed(communicator, path, access, options, file);
    *file = new onecast_file{File::open(given.path, given.access, communicator, given.options)};
  });
}

template <class Find>
onecast_status return_hints(size_t* count, onecast_hint** hints, Find&& find) {
  return guard_listing(hints, count, [&] {
    required(count, "count");
    required(hints, "hints");
    const auto found = find();
    std::size_t bytes = 0;
    for (const auto& [name, value] : found) bytes += name.size() + value.size() + 2;
    ReturnedBlock block(found.size(), sizeof(onecast_hint), bytes);
    auto* next = block.entries<onecast_hint>();
    for (const auto& [name, value] : found) *next++ = {block.put(name), block.put(value)};
    *count = found.size();
    *hints = static_cast<onecast_hint*>(block.release());
  });
}

}  // namespace

onecast_status onecast_communicator_of_mpi(const onecast_mpi_handle* comm,
                                           onecast_communicator** communicator) {
  return make_communicator(comm, communicator);
}
onecast_status onecast_communicator_mpi_fortran(int comm, onecast_communicator** communicator) {
  return make_communicator(comm, communicator);
}

onecast_status onecast_file_create_of_mpi(const char* path, const onecast_mpi_handle* comm,
                                          const onecast_file_options* options,
                                          onecast_file** file) {
  return create_file(path, comm, options, file);
}
onecast_status onecast_file_create_mpi_fortran(const char* path, int comm,
                                               const onecast_file_options* options,
                                               onecast_file** file) {
  return create_file(path, comm, options, file);
}

onecast_status onecast_file_open_of_mpi(const char* path, onecast_access access,
                                        const onecast_mpi_handle* comm,
                                        const onecast_file_options* options, onecast_file** file) {
  return open_file(path, access, comm, options, file);
}
onecast_status onecast_file_open_mpi_fortran(const char* path, onecast_access access, int comm,
                                             const onecast_file_options* options,
                                             onecast_file** file) {
  return open_file(path, access, comm, options, file);
}

onecast_status onecast_hints_of_mpi(const onecast_mpi_handle* info, size_t* count,
                                    onecast_hint** hints) {
  return return_hints(count, hints, [&] { return hints_of(handle_of(info, "info")); });
}
onecast_status onecast_hints_of_info_fortran(int info, size_t* count, onecast_hint** hints) {
  return return_hints(count, hints, [&] { return hints_of(MpiHandle::of_fortran(info)); });
}
