#include "objects/together/chunk_parts.hpp"

#include "objects/chunks/chunk_selection.hpp"

namespace onecast::together {
namespace {

/// Returns the part of a selection in a chunk: the number of elements and their bounding box.
ChunkPart part_of(const BoundSelection& selection, const ChunkGrid& grid, std::uint64_t number) {
  ChunkPart part;
  part.box.resize(std::size_t{2} * grid.rank);
  ChunkCoordinates at;
  for_each_run_in_chunk(
      selection, grid, number, [&](std::uint64_t first, std::uint64_t, std::uint64_t count) {
        std::uint64_t rest = first;
        for (unsigned d = grid.rank; d-- > 0; rest /= grid.chunk[d]) at[d] = rest % grid.chunk[d];
        for (unsigned d = 0; d < grid.rank; ++d) {
          // A run does not continue into the next row.
          const std::uint64_t end = d + 1 == grid.rank ? at[d] + count - 1 : at[d];
          std::uint64_t& begin = part.box[std::size_t{2} * d];
          std::uint64_t& last = part.box[std::size_t{2} * d + 1];
          begin = part.elements == 0 ? at[d] : std::min(begin, at[d]);
          last = part.elements == 0 ? end : std::max(last, end);
        }
        part.elements += count;
      });
  std::uint64_t volume = 1;
  for (std::size_t i = 0; i < part.box.size(); i += 2) volume *= part.box[i + 1] - part.box[i] + 1;
  part.is_box = volume == part.elements;
  part.is_whole = part.elements == elements_inside(grid, number);
  if (part.is_whole || !part.is_box) part.box.clear();
  return part;
}

bool overlap(const ChunkPart& a, const ChunkPart& b) {
  for (std::size_t i = 0; i < a.box.size(); i += 2)
    if (a.box[i + 1] < b.box[i] || b.box[i + 1] < a.box[i]) return false;
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
      if (overlap(parts[i], parts[j])) return false;
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
    for (const std::uint64_t bound : part.box) p.number(bound);
  }
  return std::move(p.out);
}

void unpack_parts(std::span<const std::byte> bytes, int rank, const ChunkGrid& grid,
                  SharedChunks& chunks) {
  for (Unpacker u(bytes); !u.at_end();) {
    ChunkPart& part = chunks[u.number()].parts.emplace_back();
    part.rank = rank;
    part.elements = u.number();
    const std::uint64_t flags = u.number();
    part.is_whole = (flags & 1U) != 0;
    part.is_box = (flags & 2U) != 0;
    if (part.is_whole || !part.is_box) continue;
    part.box.reserve(std::size_t{2} * grid.rank);
    for (unsigned i = 0; i < 2 * grid.rank; ++i) part.box.push_back(u.number());
  }
}

}  // namespace onecast::together
