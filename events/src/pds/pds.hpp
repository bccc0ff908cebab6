#pragma once

#include <string>
#include <vector>

#include "model/byte_file.hpp"
#include "model/join_report.hpp"
#include "onecast/events/component.hpp"
#include "pds/pds_format.hpp"

namespace onecast::events::pds {

/// Throws Error (format).
Header read_header(const ByteFile& file);

/// Joins files with equal headers: their complete records, one file after the other. If it throws
/// an Error, `out` is not complete.
JoinReport join(const std::string& out, const std::vector<std::string>& in);

SourceInfo pds_source();
OutputerInfo pds_outputer();

}  // namespace onecast::events::pds
