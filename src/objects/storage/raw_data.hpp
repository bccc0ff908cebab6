#pragma once

#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::tree {
class FileState;
}  // namespace onecast::tree

namespace onecast::storage {

/// Fills `out` with copies of one element, or zeros.
void fill(std::span<std::byte> out, ByteView element);

/// Raw bytes of [address, address + out.size()): from memory or the file; zeros behind its end.
void read_raw(FileState& file, Address address, std::span<std::byte> out);

/// Writes raw bytes, and notes how far the file reaches for that.
void write_raw(FileState& file, Address address, std::span<const std::byte> bytes);

/// As write_raw, of bytes that lie in several pieces of memory: by one write.
void write_raw_parts(FileState& file, Address address,
                     std::span<const std::span<const std::byte>> parts);

/// As read_raw, but from the file; large ones on several threads.
void read_file(FileState& file, Address address, std::span<std::byte> out);

/// Writes copies of one element, or zeros, to `size` bytes of raw data.
void write_fill(FileState& file, Address address, std::uint64_t size, ByteView element);

}  // namespace onecast::storage
