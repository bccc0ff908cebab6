#pragma once

#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::files {
class FileState;
}  // namespace onecast::files

namespace onecast::elements {

/// Fills `out` with copies of one element, or with zeros.
void fill(std::span<std::byte> out, ByteView element);

/// Reads the raw bytes [address, address + out.size()) from memory or the file; zeros beyond its
/// end.
void read_raw(FileState& file, Address address, std::span<std::byte> out);

/// Notes that raw bytes [address, address + size) are written by other means.
void note_raw_write(FileState& file, Address address, std::uint64_t size);

/// Writes raw bytes and notes how far they reach in the file.
void write_raw(FileState& file, Address address, std::span<const std::byte> bytes);

/// Does what write_raw() does, in one write, with bytes that lie in several pieces of memory.
void write_raw_parts(FileState& file, Address address,
                     std::span<const std::span<const std::byte>> parts);

/// Does what read_raw() does, but only from the file; large reads use several threads.
void read_file(FileState& file, Address address, std::span<std::byte> out);

/// Writes copies of one element, or zeros, to `size` bytes of raw data.
void write_fill(FileState& file, Address address, std::uint64_t size, ByteView element);

}  // namespace onecast::elements
