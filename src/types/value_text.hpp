#pragma once

#include <string>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

/// Formats one element for errors: a number, a quoted text, {a: 1, b: 2}, [1, 2]; truncated if
/// long. An element that only refers to its value is described by its kind. `element` has
/// type.size() bytes.
std::string value_text(const Datatype& type, ByteView element);

}  // namespace onecast::types
