#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/transport/io_stats.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

struct UserFile;

/// Opens a file. Errors: not_found, already_exists, io; each names the path and carries errno.
using TransportFactory =
    std::function<std::unique_ptr<Transport>(const std::string& path, OpenMode mode)>;

/// Opens files of the operating system.
TransportFactory posix_factory();

/// Opens an object of the user by its name, and its journal by any other name. Temporary files are
/// files of the operating system, in its directory for them.
TransportFactory user_factory(std::shared_ptr<UserFile> file);

/// Opens files by MPI-IO, each process for itself (MPI_COMM_SELF). Only in a build with MPI.
TransportFactory mpi_io_factory();

/// Counts into `stats`, which must outlive the factory and its transports; one thread at a time.
TransportFactory counting_factory(TransportFactory inner, IoStats& stats);

/// Opens files of the operating system with OpenMode::replace, through `inner`, which does not know
/// this mode: the new file lies beside the old one until it is renamed.
TransportFactory replacing_factory(TransportFactory inner);

}  // namespace onecast::transport
