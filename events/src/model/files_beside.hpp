#pragma once

#include <string>

namespace onecast::events {

/// A name beside `place` that nobody else has: PLACE.XXXXXXXX.part. What is written there takes the
/// place when it is complete.
std::string part_beside(const std::string& place);

/// Where a writer of HDF5 keeps what a flush overwrites.
std::string journal_beside(const std::string& path);

}  // namespace onecast::events
