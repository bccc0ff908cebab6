#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "onecast/objects/dataset.hpp"

/// Chunks as they are stored, behind the filters: for programs that filter by themselves, or that
/// move data without decoding it. All throw Error: invalid_argument (not chunked; `start` is no
/// first element of a chunk), io, state, format, unsupported as Dataset does. @independent
namespace onecast {

/// Where a chunk lies that was written.
struct StoredChunk {
  Shape start{};                  ///< coordinates of its first element
  std::uint64_t size = 0;         ///< bytes, as stored
  std::uint32_t filter_mask = 0;  ///< bit n set: filter n of the dataset was not applied
  /// In the file. Absent: this rank has changed it, and keeps it until the next flush; its size and
  /// mask are then told only by read_stored_chunk.
  std::optional<std::uint64_t> address{};
};

/// The bytes of a chunk, and which filters made them.
struct StoredBytes {
  std::vector<std::byte> bytes{};
  std::uint32_t filter_mask = 0;
};

/// The chunks that were written, in C order of their first elements.
std::vector<StoredChunk> stored_chunks(const Dataset& dataset);
/// The chunk that begins there; absent if nobody wrote to it.
std::optional<StoredChunk> find_stored_chunk(const Dataset& dataset, const Shape& start);
/// Throws also Error (not_found) if nobody wrote to it.
StoredBytes read_stored_chunk(const Dataset& dataset, const Shape& start);

/// Writes a whole chunk, which the caller has filtered: `bytes` are what the dataset's filters
/// would have made of it, but for those in `filter_mask`. Onecast does not look at them. Other
/// ranks see it when they see what Dataset::write writes. Without filters `bytes` has exactly the
/// size of a chunk, also at the edge of the dataset. Throws also Error (invalid_argument) for an
/// empty chunk, one that is far larger than without filters, and a mask that names filters which
/// the dataset has not; unsupported for values of variable length.
void write_stored_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes,
                        std::uint32_t filter_mask = 0);

}  // namespace onecast
