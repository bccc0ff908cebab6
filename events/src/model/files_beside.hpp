#pragma once

#include <string>

namespace onecast::events {

/// Returns a unique name beside `place`: PLACE.XXXXXXXX.part. The file of that name replaces
/// `place` when it is complete.
std::string part_beside(const std::string& place);

/// Returns the name of the journal in which a writer of HDF5 keeps what a flush overwrites.
std::string journal_beside(const std::string& path);

}  // namespace onecast::events
