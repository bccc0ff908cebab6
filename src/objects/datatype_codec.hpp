#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/byte_reader.hpp"
#include "format/objects/datatype_message.hpp"
#include "objects/arena.hpp"
#include "onecast/objects/datatype.hpp"

namespace onecast {

/// Between the Datatype message and the public Datatype.
Datatype to_datatype(const DatatypeMessage& message);
/// Throws Error (unsupported) for classes that cannot be written.
DatatypeMessage to_message(const Datatype& type);

/// The message's bytes, in the arena.
ByteView encode_datatype(const Datatype& type, const FileContext& file, Arena& arena);

/// Values of `from` can be taken as `to` by swapping bytes at most. Throws Error
/// (invalid_argument), after `where`, if not. Returns whether bytes must be swapped.
bool must_swap(const Datatype& from, const Datatype& to, const std::string& where);

/// Reverses the bytes of every element of `size` bytes.
void swap_bytes(std::span<std::byte> values, std::size_t size);

/// A fixed-length string without its padding.
std::string unpad(ByteView value, StringPadding padding);

}  // namespace onecast
