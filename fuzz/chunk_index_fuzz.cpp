// Every chunk index, under datasets of 1 to 3 dimensions, filtered or not: walked, searched, and
// asked for a part.
#include "fuzz/input.hpp"
#include "structures/chunks/open_chunk_index.hpp"

namespace onecast {

using namespace structures;

namespace {

constexpr std::uint64_t kExtent[] = {40, 30, 9};
constexpr std::uint64_t kChunk = 3;

DataLayoutMessage layout_of(ChunkIndexType type, Address address, unsigned rank) {
  DataLayoutMessage layout;
  layout.version = 4;
  layout.layout_class = LayoutClass::chunked;
  layout.dimensionality = static_cast<std::uint8_t>(rank + 1);
  layout.index_type = type;
  layout.address = address;
  layout.dimensions.fill(kChunk);
  return layout;
}

void read_index(fuzz::InputSource& source, ChunkIndexType type, Address address, unsigned rank,
                bool filtered) {
  std::uint64_t max[] = {40, 60, 9};
  if (type == ChunkIndexType::extensible_array) max[rank - 1] = ChunkGrid::kUnlimited;
  const DataLayoutMessage layout = layout_of(type, address, rank);
  const std::span<const std::uint64_t> extent = std::span(kExtent).first(rank);
  const ChunkGrid grid(layout, extent, std::span(max).first(rank), 4, Address{}, source.file());
  const auto index = open_chunk_index(source, grid, layout, filtered);
  ChunkCoordinates last{};
  fuzz::expect_errors_only([&] {
    index->for_each([&](const ChunkEntry& entry) {
      if (grid.contains(entry.at)) last = entry.at;
    });
  });
  fuzz::expect_errors_only([&] { static_cast<void>(index->find(last)); });
  ChunkBox box{last, last};
  for (unsigned d = 0; d < rank; ++d) {
    box.first[d] /= 2;
    box.last[d] = grid.count[d] - 1;
  }
  index->for_each_in(box, [&](const ChunkEntry& entry) {
    for (unsigned d = 0; d < rank; ++d)
      if (entry.at[d] < box.first[d] || entry.at[d] > box.last[d]) std::abort();
  });
}

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::InputSource source(bytes);
  const auto read = [&](const char* signature, ChunkIndexType type) {
    fuzz::for_each_place(bytes, signature, [&](Address at) {
      for (unsigned rank = 1; rank <= 3; ++rank)
        for (const bool filtered : {false, true})
          fuzz::expect_errors_only([&] { read_index(source, type, at, rank, filtered); });
    });
  };
  read("TREE", ChunkIndexType::btree_v1);
  read("FAHD", ChunkIndexType::fixed_array);
  read("EAHD", ChunkIndexType::extensible_array);
  read("BTHD", ChunkIndexType::btree_v2);
}

}  // namespace onecast
