#pragma once

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "onecast/objects/order.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "structures/object_header.hpp"

namespace onecast::codec {

/// Decodes messages that are not shared.
Datatype read_datatype(const HeaderMessage& message, const FileContext& file);
Dataspace read_dataspace(const HeaderMessage& message, const FileContext& file);

/// Returns the bytes of the message, in the arena.
ByteView encode_dataspace(const Dataspace& space, const FileContext& file, Arena& arena);

/// Returns the bytes of any record, in the arena.
template <class R>
std::span<std::byte> encode_kept(const R& record, const FileContext& file, Arena& arena) {
  const std::span<std::byte> bytes = arena.allocate(encoded_size(file, record));
  ByteWriter out(bytes);
  encode(out, file, record);
  return bytes;
}

/// Encodes the record over another of its size. `kept` is the result of encode_kept(), or a part of
/// it. All readers of those bytes see the new ones.
template <class R>
void encode_over(ByteView kept, const R& record, const FileContext& file) {
  // The bytes are in the arena, and no other thread writes to them.
  ByteWriter out({const_cast<std::byte*>(kept.data()), kept.size()});
  encode(out, file, record);
}

/// Returns the Group Info message of a new group.
HeaderMessage group_info_message(const DenseLimits& links, const FileContext& file, Arena& arena);

}  // namespace onecast::codec
