#pragma once

#include <string>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

/// One element as errors show it: a number, a text in quotes, {a: 1, b: 2}, [1, 2]. Cut where it
/// gets long. What only refers to its value is told by its kind. `element`: type.size() bytes.
std::string value_text(const Datatype& type, ByteView element);

}  // namespace onecast::types
