#include "objects/chunks/chunk_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "filters/filters.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::chunks {

std::string where_is(const Node& dataset, const ChunkGrid& grid, std::uint64_t number) {
  const ChunkCoordinates start = first_element(grid, number);
  return fmt::format("{}: chunk at ({})", dataset.where(),
                     fmt::join(start.begin(), start.begin() + grid.rank, ", "));
}

void require_decoders(Node& dataset) {
  const std::vector<FilterSpec>& filters = dataset.dataset().filters;
  if (!filters.empty()) require_filters(filters, 0, dataset);
}

void require_coders(Node& dataset) {
  require_decoders(dataset);
  const std::vector<FilterSpec>& filters = dataset.dataset().filters;
  if (!filters.empty()) require_encoders(filters, dataset);
}

bool is_filtered(const DatasetInfo& info, std::uint64_t number) {
  if (info.filters.empty()) return false;
  const ChunkGrid& grid = chunks_of(info).grid();
  return chunks_of(info).filters_partial_chunks() || !grid.is_partial(grid.coordinates(number));
}

void check_place(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place) {
  const auto fail = [&](const std::string& what) {
    throw format_error("{}: chunk at address {:#x}: {}", dataset.where(), place.address.value,
                       what);
  };
  const std::uint64_t bytes = chunks_of(info).grid().bytes;
  if (!is_filtered(info, place.number) && place.size != bytes)
    fail(fmt::format("has {} bytes, not {}", place.size, bytes));
  if (place.size > largest_stored(bytes))
    fail(fmt::format("has {} bytes, decoded {}", place.size, bytes));
  const FileState& file = file_of(dataset);
  std::uint64_t left = file.store().file_size_at_open() - file.store().base();
  if (file.has_allocator()) left = std::max(left, file.allocator().end());
  if (place.address.value > left || place.size > left - place.address.value)
    fail(fmt::format("{} bytes there leave the file", place.size));
}

void check_places(Node& dataset, std::span<const ChunkPlace> places) {
  for (const ChunkPlace& place : places) check_place(dataset, dataset.dataset(), place);
}

bool is_cached(const FileState& file, const ChunkGrid& grid, std::uint64_t chunks) {
  return chunks <= file.transfers().chunk_cache.limit() / 2 / grid.bytes;
}

bool are_small(const FileState& file, const ChunkGrid& grid) {
  return grid.total <= file.options().small_data_limit / grid.bytes;
}

bool are_in_store(const FileState& file, std::span<const ChunkPlace> places) {
  return !places.empty() && file.store().find_data(places[0].address, places[0].size);
}

Shape decoded_at_once(const DatasetInfo& info) {
  if (info.layout != Layout::chunked || info.filters.empty()) return {};
  const ChunkGrid& grid = chunks_of(info).grid();
  return {grid.chunk.begin(), grid.chunk.begin() + grid.rank};
}

void read_chunk(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place,
                std::span<std::byte> out) {
  check_place(dataset, info, place);
  if (!is_filtered(info, place.number)) return read_file(file_of(dataset), place.address, out);
  Buffer stored(static_cast<std::size_t>(place.size));
  read_file(file_of(dataset), place.address, stored.span());
  decode_chunk(info.filters, place.filter_mask, stored.span(), out,
               [&] { return where_is(dataset, chunks_of(info).grid(), place.number); });
}

void fill_beyond(std::span<std::byte> chunk, const ChunkGrid& grid, std::uint64_t number,
                 const ChunkCoordinates& extent, ByteView element, std::size_t element_size) {
  const ChunkCoordinates start = first_element(grid, number);
  ChunkCoordinates inside;  // the part of the chunk inside `extent`, in each dimension
  bool all = true;
  for (unsigned d = 0; d < grid.rank; ++d) {
    inside[d] = std::min(grid.chunk[d], extent[d] - std::min(extent[d], start[d]));
    all = all && inside[d] == grid.chunk[d];
  }
  if (all) return;
  const unsigned last = grid.rank - 1;
  const std::size_t row = static_cast<std::size_t>(grid.chunk[last]) * element_size;
  ChunkCoordinates at;
  at.fill(0);
  for (std::size_t done = 0; done < chunk.size(); done += row) {
    bool stays = true;
    for (unsigned d = 0; d < last; ++d) stays = stays && at[d] < inside[d];
    const std::size_t kept = stays ? static_cast<std::size_t>(inside[last]) * element_size : 0;
    fill(chunk.subspan(done + kept, row - kept), element);
    for (unsigned d = last; d-- > 0;) {
      if (++at[d] < grid.chunk[d]) break;
      at[d] = 0;
    }
  }
}

}  // namespace onecast::chunks
