#pragma once

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::handles {

MetadataReport metadata_report(const FileState& file);

}  // namespace onecast::handles
