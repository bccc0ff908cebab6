#pragma once

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "types/datatype_codec.hpp"

namespace onecast::codec {

/// Returns the bytes of the Datatype message, in the arena.
ByteView encode_datatype(const Datatype& type, const FileContext& file, Arena& arena);

}  // namespace onecast::codec
