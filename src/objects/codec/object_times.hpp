#pragma once

#include <optional>

#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "onecast/objects/object.hpp"
#include "structures/object_header.hpp"

namespace onecast::codec {

/// The times in a header, if it has room for them. Before the first flush they are 0.
std::optional<ObjectTimes> times_of(const ObjectHeader& header, const FileContext& file);
/// In a header of version 2. Times that are 0 become that of the last change.
void set_times(ObjectHeaderPrefixV2& prefix, const ObjectTimes& times);

}  // namespace onecast::codec
