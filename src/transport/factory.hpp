#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/transport/io_stats.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

class MemoryDisk;
struct FaultPlan;
struct UserFile;

/// Opens a file. Errors: not_found, already_exists, io; each names the path and carries errno.
using TransportFactory =
    std::function<std::unique_ptr<Transport>(const std::string& path, OpenMode mode)>;

/// The operating system's files.
TransportFactory posix_factory();

/// The files of `disk`, which lives as long as anyone uses it.
TransportFactory memory_factory(std::shared_ptr<MemoryDisk> disk);

/// An object of the user, by its name, and its journal, by any other. Temporary files are the
/// system's, in its folder for such.
TransportFactory user_factory(std::shared_ptr<UserFile> file);

/// MPI-IO, each process for itself (MPI_COMM_SELF). Only in a build with MPI.
TransportFactory mpi_io_factory();

/// Counts into `stats`, which outlives the factory and its transports; one thread at a time.
TransportFactory counting_factory(TransportFactory inner, IoStats& stats);

/// Fails where `plan` says so.
TransportFactory fault_factory(TransportFactory inner, std::shared_ptr<FaultPlan> plan);

/// Opens at the first use, so that who touches no byte opens no file.
TransportFactory lazy_factory(TransportFactory inner);

/// Opens files of the system with OpenMode::replace by means of `inner`, which does not know it:
/// the new file lies beside the old one, until it is renamed.
TransportFactory replacing_factory(TransportFactory inner);

}  // namespace onecast::transport
