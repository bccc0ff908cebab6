#pragma once

#include "objects/arena.hpp"
#include "onecast/objects/datatype.hpp"
#include "onecast/space/dataspace.hpp"
#include "structures/object_header.hpp"

namespace onecast {

/// A Datatype message, itself or the committed datatype it refers to.
Datatype read_datatype(MetadataSource& source, const HeaderMessage& message);
Dataspace read_dataspace(MetadataSource& source, const HeaderMessage& message);

/// The message's bytes, in the arena.
ByteView encode_dataspace(const Dataspace& space, const FileContext& file, Arena& arena);

/// Any record's bytes, in the arena.
template <class R>
std::span<std::byte> encode_kept(const R& record, const FileContext& file, Arena& arena) {
  const std::span<std::byte> bytes = arena.allocate(encoded_size(file, record));
  ByteWriter out(bytes);
  encode(out, file, record);
  return bytes;
}

}  // namespace onecast
