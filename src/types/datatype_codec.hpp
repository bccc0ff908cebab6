#pragma once

#include <cstddef>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/datatype_message.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

/// Throws Error (unsupported) for an enumeration of more than 64 bits.
Datatype to_datatype(const DatatypeMessage& message);

/// Encodes a Datatype message.
std::vector<std::byte> encode_datatype(const Datatype& type, const FileContext& file);

}  // namespace onecast::types
