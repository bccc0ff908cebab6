#pragma once

#include <optional>

#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "onecast/objects/object.hpp"
#include "structures/object_header.hpp"

namespace onecast::codec {

/// Returns the times in a header, if it has room for them. They are 0 before the first flush.
std::optional<ObjectTimes> times_of(const ObjectHeader& header, const FileContext& file);
/// Sets the times in a header of version 2. Times that are 0 become the time of the last change.
void set_times(ObjectHeaderProperties& properties, const ObjectTimes& times);

}  // namespace onecast::codec
