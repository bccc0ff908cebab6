#pragma once

#include "onecast/objects/file.hpp"

namespace onecast {

MetadataReport metadata_report(const FileState& file);

}  // namespace onecast
