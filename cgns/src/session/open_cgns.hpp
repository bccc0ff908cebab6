#pragma once

#include <string>

#include "onecast/comm/communicator.hpp"
#include "session/session.hpp"

namespace onecast::cgns {

/// Opens or creates an HDF5 file for CGNS. Throws Error, and for an ADF file Failure, which names
/// the command that converts it.
File open_hdf5(const std::string& path, Mode mode, const Communicator* communicator,
               FileOptions options = {});
/// Opens or creates a file and enters it into the session. Throws as open_hdf5 does, and Failure.
OpenFile& open_cgns(const char* path, int mode, const Communicator* communicator = nullptr,
                    const FileOptions& options = {}, VersionNode version = VersionNode::kept);

/// True if the file begins as ADF files do; false if it cannot be read.
bool is_adf(const std::string& path);

}  // namespace onecast::cgns
