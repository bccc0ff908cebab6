#include "objects/chunk_parts.hpp"

#include <algorithm>

#include "objects/chunk_access.hpp"

namespace onecast {
namespace {

/// The part of a selection that lies in a chunk: how many elements, and the box around them.
ChunkPart part_of(const BoundSelection& selection, const ChunkGrid& grid, std::uint64_t number) {
  ChunkPart part;
  part.first.fill(0);
  part.last.fill(0);
  ChunkCoordinates at;
  for_each_run_in_chunk(
      selection, grid, number, [&](std::uint64_t first, std::uint64_t, std::uint64_t count) {
        std::uint64_t rest = first;
        for (unsigned d = grid.rank; d-- > 0; rest /= grid.chunk[d]) at[d] = rest % grid.chunk[d];
        for (unsigned d = 0; d < grid.rank; ++d) {
          // A run does not go on into the next row.
          const std::uint64_t end = d + 1 == grid.rank ? at[d] + count - 1 : at[d];
          part.first[d] = part.elements == 0 ? at[d] : std::min(part.first[d], at[d]);
          part.last[d] = part.elements == 0 ? end : std::max(part.last[d], end);
        }
        part.elements += count;
      });
  std::uint64_t volume = 1;
  for (unsigned d = 0; d < grid.rank; ++d) volume *= part.last[d] - part.first[d] + 1;
  part.is_box = volume == part.elements;
  part.is_whole = part.elements == elements_inside(grid, number);
  return part;
}

bool overlap(const ChunkPart& a, const ChunkPart& b, unsigned rank) {
  for (unsigned d = 0; d < rank; ++d)
    if (a.last[d] < b.first[d] || b.last[d] < a.first[d]) return false;
  return true;
}

}  // namespace

bool SharedChunk::is_covered(const ChunkGrid& grid, std::uint64_t number) const {
  std::uint64_t elements = 0;
  for (const ChunkPart& part : parts) {
    if (part.is_whole) return true;
    if (!part.is_box) return false;
    elements += part.elements;
  }
  if (elements != elements_inside(grid, number)) return false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      if (overlap(parts[i], parts[j], grid.rank)) return false;
  return true;
}

std::vector<std::byte> pack_parts(const BoundSelection& selection, const ChunkGrid& grid,
                                  std::span<const std::uint64_t> numbers) {
  Packer p;
  for (const std::uint64_t number : numbers) {
    const ChunkPart part = part_of(selection, grid, number);
    p.number(number);
    p.number(part.elements);
    p.number((part.is_whole ? 1U : 0U) | (part.is_box ? 2U : 0U));
    if (part.is_whole || !part.is_box) continue;
    for (unsigned d = 0; d < grid.rank; ++d) {
      p.number(part.first[d]);
      p.number(part.last[d]);
    }
  }
  return std::move(p.out);
}

SharedChunks unpack_parts(const std::vector<std::vector<std::byte>>& gathered,
                          const ChunkGrid& grid) {
  SharedChunks chunks;
  for (std::size_t r = 0; r < gathered.size(); ++r) {
    for (Unpacker u(gathered[r]); !u.at_end();) {
      ChunkPart& part = chunks[u.number()].parts.emplace_back();
      part.rank = static_cast<int>(r);
      part.elements = u.number();
      const std::uint64_t flags = u.number();
      part.is_whole = (flags & 1U) != 0;
      part.is_box = (flags & 2U) != 0;
      if (part.is_whole || !part.is_box) continue;
      for (unsigned d = 0; d < grid.rank; ++d) {
        part.first[d] = u.number();
        part.last[d] = u.number();
      }
    }
  }
  return chunks;
}

}  // namespace onecast
