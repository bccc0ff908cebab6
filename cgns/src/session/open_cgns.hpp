#pragma once

#include <string>

#include "onecast/comm/communicator.hpp"
#include "session/session.hpp"

namespace onecast::cgns {

/// Opens or creates a file and enters it into the session. Throws Failure; an ADF file is refused
/// with the command that converts it.
OpenFile& open_cgns(const char* path, int mode, const Communicator* communicator = nullptr,
                    const FileOptions& options = {});

/// Whether it begins as ADF files do. False if it cannot be read.
bool is_adf(const std::string& path);

}  // namespace onecast::cgns
