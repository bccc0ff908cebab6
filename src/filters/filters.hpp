#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "filters/filter_spec.hpp"

namespace onecast::filters {

/// Undoes the pipeline, last filter first: fills `out`, which has the chunk's size, from the chunk
/// as stored. Bit i of `filter_mask` set: filter i was not applied to this chunk. Errors begin with
/// `where` (file, address, chunk); `out` is then in no particular state. Safe on any thread; what
/// lies between two filters is kept in memory of the thread, and used again.
void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                  std::span<const std::byte> stored, std::span<std::byte> out, const Where& where);

/// The same in place, and never allocating much more than the stored bytes can become, for callers
/// that do not believe `expected_size`: `in_out` holds the chunk as stored and then those bytes.
void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                  std::vector<std::byte>& in_out, std::size_t expected_size, const Where& where);

/// A chunk as it is to be stored.
struct EncodedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;  ///< bit i set: filter i was not applied
};

/// Applies the pipeline, first filter first: `out` becomes what decode_chunk makes `chunk` of; the
/// memory it has is used again. An optional filter that fails, that Onecast lacks, or whose
/// convention is to leave alone what does not become smaller, is left out; of one that is not
/// optional, that is an Error (invalid_argument; unsupported if it is lacking). The same bytes give
/// the same bytes, always. Errors begin with `where`. Safe on any thread, like decode_chunk.
void encode_chunk(const std::vector<FilterSpec>& pipeline, std::span<const std::byte> chunk,
                  EncodedChunk& out, const Where& where);

/// The same into new memory.
EncodedChunk encode_chunk(const std::vector<FilterSpec>& pipeline, std::span<const std::byte> chunk,
                          const Where& where);

/// Throws Error (unsupported) naming the first filter that is not optional and that Onecast cannot
/// apply. encode_chunk does too; whoever wants to refuse a whole dataset calls it earlier.
void require_encoders(const std::vector<FilterSpec>& pipeline, const Where& where);

/// Throws Error (unsupported) naming the first filter, of those not masked, that Onecast lacks.
/// decode_chunk begins with it; whoever wants to refuse a whole dataset calls it earlier.
void require_filters(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                     const Where& where);

}  // namespace onecast::filters
