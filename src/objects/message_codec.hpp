#pragma once

#include "objects/arena.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "structures/object_header.hpp"

namespace onecast {

/// What messages mean that are not shared.
Datatype read_datatype(const HeaderMessage& message, const FileContext& file);
Dataspace read_dataspace(const HeaderMessage& message, const FileContext& file);

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
