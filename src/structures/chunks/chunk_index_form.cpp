#include "structures/chunks/chunk_index_form.hpp"

#include <algorithm>
#include <bit>

#include "structures/chunks/chunk_numbering.hpp"
#include "structures/chunks/element_writer.hpp"
#include "structures/chunks/extensible_array.hpp"
#include "structures/chunks/fixed_array.hpp"

namespace onecast::structures {
namespace {

/// A limit, since a fixed array takes its full space at once, however few chunks there are.
constexpr std::uint64_t kMostFixedArrayBytes = std::uint64_t{16} << 20U;

std::uint64_t entry_size(const ChunkIndexUse& use) {
  return ElementWriter::entry_size(chunk_size_size(use), use.file);
}

/// The library's 1024 elements, or as many as fill a metadata page, since nothing smaller than a
/// page may straddle two.
std::uint8_t array_page_bits(std::uint64_t entry, std::uint64_t page_size) {
  std::uint8_t bits = 10;
  while ((entry << bits) + ChunkArrayPage::kChecksumSize < page_size) ++bits;
  return bits;
}

/// True if the last, perhaps small, page straddles two metadata pages. The array begins on a
/// metadata page.
bool last_page_straddles(const FixedArrayHeader& header, std::uint64_t entry,
                         const ChunkIndexUse& use) {
  const auto shape = FixedArrayShape::of(header);
  if (shape.pages == 0) return false;
  const std::uint64_t size = shape.elements_of(shape.pages - 1, header.max_entries) * entry +
                             ChunkArrayPage::kChecksumSize;
  const std::uint64_t first = FixedArrayDataBlock::size(use.file, shape.bitmap_size()) +
                              (shape.pages - 1) * shape.page_stride(entry);
  return size < use.page_size && first / use.page_size != (first + size - 1) / use.page_size;
}

std::uint8_t fixed_array_page_bits(const ChunkIndexUse& use) {
  const std::uint64_t entry = entry_size(use);
  FixedArrayHeader header;
  header.max_entries = ChunkNumbering::of(use.grid)->size();
  header.page_bits = array_page_bits(entry, use.page_size);
  while (last_page_straddles(header, entry, use)) ++header.page_bits;
  return header.page_bits;
}

/// The library's 2048 bytes, or a little less, so that a metadata page with its seal of 8 bytes
/// holds one node per 2 KiB.
std::uint32_t btree_v2_node_size(std::uint64_t page_size) {
  constexpr std::uint64_t kNode = 2048;
  constexpr std::uint64_t kSeal = 8;
  const std::uint64_t nodes = page_size / kNode;
  return static_cast<std::uint32_t>(nodes == 0 ? kNode : (page_size - kSeal) / nodes / 8 * 8);
}

/// The HDF5 library's parameters.
ChunkIndexParameters extensible_array_parameters() {
  ChunkIndexParameters p;
  p.max_bits = 32;
  p.index_elements = 4;
  p.min_pointers = 4;
  p.min_elements = 16;
  p.page_bits = 10;
  return p;
}

ChunkIndexType wanted_type(const ChunkIndexUse& use) {
  const ChunkGrid& grid = use.grid;
  unsigned unlimited = 0;
  bool whole = true;
  for (unsigned d = 0; d < grid.rank; ++d) {
    if (grid.max_count[d] == ChunkGrid::kUnlimited) ++unlimited;
    whole = whole && grid.max_count[d] == 1 && grid.extent[d] == grid.chunk[d];
  }
  if (unlimited > 1) return ChunkIndexType::btree_v2;
  if (unlimited == 1)
    return exceeds_extensible_array(grid) ? ChunkIndexType::btree_v1
                                          : ChunkIndexType::extensible_array;
  if (whole) return ChunkIndexType::single_chunk;
  const auto numbering = ChunkNumbering::of(grid);
  const bool fits = numbering && numbering->size() <= kMostFixedArrayBytes / entry_size(use);
  return fits ? ChunkIndexType::fixed_array : ChunkIndexType::btree_v1;
}

}  // namespace

void choose_chunk_index(DataLayoutMessage& layout, const ChunkIndexUse& use) {
  layout.version = 4;
  layout.index_type = wanted_type(use);
  if (layout.index_type == ChunkIndexType::btree_v1) {
    layout.version = 3;
    return;
  }
  const auto sizes = std::span(layout.dimensions).first(layout.dimensionality);
  layout.dimension_width =
      DataLayoutMessage::width_for(*std::max_element(sizes.begin(), sizes.end()));
  renew_chunk_index(layout, use);
}

void renew_chunk_index(DataLayoutMessage& layout, const ChunkIndexUse& use) {
  layout.version = std::clamp<std::uint8_t>(layout.version, 3, 4);
  if (layout.index_type == ChunkIndexType::implicit)
    layout.index_type = ChunkIndexType::fixed_array;
  switch (layout.index_type) {
    case ChunkIndexType::single_chunk:
      layout.chunk_flags =
          use.filtered ? DataLayoutMessage::kSingleIndexWithFilter : std::uint8_t{0};
      return;
    case ChunkIndexType::fixed_array:
      layout.index.page_bits = fixed_array_page_bits(use);
      return;
    case ChunkIndexType::extensible_array:
      layout.index = extensible_array_parameters();
      layout.index.page_bits = array_page_bits(entry_size(use), use.page_size);
      return;
    case ChunkIndexType::btree_v2:
      layout.index.node_size = btree_v2_node_size(use.page_size);
      layout.index.split_percent = 100;
      layout.index.merge_percent = 40;
      return;
    case ChunkIndexType::btree_v1:
    case ChunkIndexType::implicit:
      return;
  }
}

std::uint8_t chunk_size_size(const ChunkIndexUse& use) {
  if (!use.filtered) return 0;
  // One byte more than the size of a whole chunk needs, since filters may enlarge it.
  const auto log2 = static_cast<unsigned>(std::bit_width(use.grid.bytes)) - 1;
  return static_cast<std::uint8_t>(std::min(1 + (log2 + 8) / 8, 8U));
}

ExtensibleArrayHeader empty_extensible_array(const ChunkIndexParameters& parameters) {
  ExtensibleArrayHeader header;
  header.max_bits = parameters.max_bits;
  header.index_elements = parameters.index_elements;
  header.min_elements = parameters.min_elements;
  header.min_pointers = parameters.min_pointers;
  header.page_bits = parameters.page_bits;
  return header;
}

bool exceeds_extensible_array(const ChunkGrid& grid) {
  const auto numbering = ChunkNumbering::of(grid);
  const auto shape =
      ExtensibleArrayShape::of(empty_extensible_array(extensible_array_parameters()));
  return !numbering || numbering->needed(grid) > shape.size();
}

bool exceeds_fixed_array(const ChunkGrid& grid) {
  constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 28U;
  const auto numbering = ChunkNumbering::of(grid);
  return !numbering || numbering->size() > kMostEntries;
}

}  // namespace onecast::structures
