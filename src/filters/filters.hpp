#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "filters/filter_spec.hpp"

namespace onecast::filters {

/// Undoes the pipeline, last filter first: decodes the stored chunk into `out`, which has the
/// chunk's size. If bit i of `filter_mask` is set, filter i was not applied. Errors begin with
/// `where` (file, address, chunk); the contents of `out` are then undefined. Safe on any thread.
/// Intermediate results lie in memory of the thread, which is reused.
void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                  std::span<const std::byte> stored, std::span<std::byte> out, const Where& where);

/// Decodes in place: `in_out` has the stored chunk, then the decoded one. Never allocates much more
/// than the stored bytes can become, for callers that do not trust `expected_size`.
void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                  std::vector<std::byte>& in_out, std::size_t expected_size, const Where& where);

/// A chunk in its stored form.
struct EncodedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;  ///< bit i set: filter i was not applied
};

/// Applies the pipeline, first filter first: decode_chunk makes `chunk` from `out`, whose memory is
/// reused. An optional filter is left out if it fails, if Onecast lacks it, or if its convention is
/// to leave chunks alone that do not become smaller. A filter that is not optional then throws
/// Error (invalid_argument; unsupported if Onecast lacks it). Equal bytes always give equal
/// results. Errors begin with `where`. Safe on any thread, like decode_chunk.
void encode_chunk(const std::vector<FilterSpec>& pipeline, std::span<const std::byte> chunk,
                  EncodedChunk& out, const Where& where);

/// Encodes into new memory.
EncodedChunk encode_chunk(const std::vector<FilterSpec>& pipeline, std::span<const std::byte> chunk,
                          const Where& where);

/// Throws Error (unsupported) naming the first filter that is not optional and that Onecast cannot
/// apply. encode_chunk does so, too; call this to refuse a whole dataset earlier.
void require_encoders(const std::vector<FilterSpec>& pipeline, const Where& where);

/// Throws Error (unsupported) naming the first unmasked filter that Onecast lacks. decode_chunk
/// does so, too; call this to refuse a whole dataset earlier.
void require_filters(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                     const Where& where);

}  // namespace onecast::filters
