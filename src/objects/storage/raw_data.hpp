#pragma once

#include <optional>
#include <span>

#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

class ElementTarget;
class StoredElements;

/// Reads the selected elements, in the stored type. Does not communicate.
void read_selected(Node& dataset, const BoundSelection& selection, std::span<std::byte> out);
void read_selected(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Throws Error (format) if the file cannot hold all elements, whatever their number claims to be.
void require_stored(Node& dataset);

/// Are the elements in memory on every rank?
bool is_in_memory(Node& dataset);

/// Throws Error (unsupported, format) unless there is contiguous storage to write to, here or in
/// external files, on all ranks alike.
void require_contiguous(Node& dataset);
/// The same of contiguous or chunked storage.
void require_writable_storage(Node& dataset);

/// Writes elements of contiguous storage. Does not communicate.
void write_contiguous(Node& dataset, const BoundSelection& selection,
                      const StoredElements& elements);

/// Changes elements in this rank's copy of a compact dataset's header.
void write_compact(Node& dataset, const Selection& part, std::span<const std::byte> bytes);

/// Fills `out` with copies of one element, or zeros.
void fill(std::span<std::byte> out, ByteView element);

/// Fills the first `count` elements of a target, each of `size` bytes, with copies of one.
void fill(const ElementTarget& out, std::uint64_t count, ByteView element, std::size_t size);

/// Writes copies of one element, or zeros, to `size` bytes of raw data.
void write_fill(FileState& file, Address address, std::uint64_t size, ByteView element);

/// Chunked storage: see chunked_read.cpp.
void read_chunked(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Raw bytes of [address, address + out.size()): from memory or the file; zeros behind its end.
void read_raw(FileState& file, Address address, std::span<std::byte> out);

/// Writes raw bytes, and notes how far the file reaches for that.
void write_raw(FileState& file, Address address, std::span<const std::byte> bytes);

/// The same from the file, large ones on several threads.
void read_file(FileState& file, Address address, std::span<std::byte> out);

}  // namespace onecast
