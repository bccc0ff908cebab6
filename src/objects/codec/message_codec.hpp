#pragma once

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "structures/object_header.hpp"

namespace onecast::codec {

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

/// Encodes the record where encode_kept put another of its size: `kept` is what that returned, or a
/// part of it. Whoever looks at those bytes sees the new ones.
template <class R>
void encode_over(ByteView kept, const R& record, const FileContext& file) {
  // The arena's memory, which nobody else writes to.
  ByteWriter out({const_cast<std::byte*>(kept.data()), kept.size()});
  encode(out, file, record);
}

/// The Group Info message of new groups.
HeaderMessage group_info_message(const FileContext& file, Arena& arena);

}  // namespace onecast::codec
