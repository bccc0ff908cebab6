#include "objects/virtual_datasets/virtual_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "format/infra/virtual_dataset_block.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/codec/selection_codec.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/external_paths.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "space/hyperslab.hpp"
#include "structures/heaps/global_heap.hpp"

namespace onecast::virtual_datasets {
namespace {

/// Returns the unlimited dimension.
std::optional<std::size_t> unlimited_dimension(const Selection& selection) {
  if (!selection.is_unlimited()) return std::nullopt;
  std::size_t d = 0;
  while (!side_of(selection.hyperslab(), d).is_unlimited()) ++d;
  return d;
}

/// Returns the number of coordinates of an unlimited side below `extent`.
std::uint64_t coordinates_below(const HyperslabSide& side, std::uint64_t extent) {
  if (side.is_empty() || extent <= side.start) return 0;
  const std::uint64_t room = extent - side.start;
  if (side.block == Dataspace::kUnlimited) return room;
  const std::uint64_t blocks = (room - 1) / side.stride;  // whole blocks, except possibly the last
  return blocks * side.block + std::min(side.block, room - blocks * side.stride);
}

/// Returns the end of the first `count` coordinates of an unlimited side; absent if it does not fit
/// 64 bits.
std::optional<std::uint64_t> end_of(const HyperslabSide& side, std::uint64_t count) {
  if (count == 0) return 0;
  std::uint64_t end = 0;
  if (side.block == Dataspace::kUnlimited) {
    if (__builtin_add_overflow(side.start, count, &end)) return std::nullopt;
    return end;
  }
  const std::uint64_t blocks = (count - 1) / side.block;
  if (__builtin_mul_overflow(blocks, side.stride, &end) ||
      __builtin_add_overflow(end, side.start, &end) ||
      __builtin_add_overflow(end, count - blocks * side.block, &end))
    return std::nullopt;
  return end;
}

Selection::Box box_of(const Selection& selection, const Shape& shape) {
  if (selection.kind() == Selection::Kind::all) return {Shape(shape.size(), 0), shape};
  if (selection.kind() == Selection::Kind::none)
    return {Shape(shape.size(), 0), Shape(shape.size(), 0)};
  return selection.bounding_box();
}

/// Clips the selection along one dimension only.
Selection clipped_along(const Selection& selection, std::size_t d, std::uint64_t end) {
  Shape shape(selection.rank(), 0);
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i == d || !side_of(selection.hyperslab(), i).end(shape[i])) shape[i] = end;
  return selection.clipped(shape);
}

}  // namespace

VirtualStorage::VirtualStorage(Node& dataset, const Dataspace& stored,
                               const DataLayoutMessage& layout)
    : dataset_(dataset), heap_(layout.address), space_(stored) {
  if (!layout.address.is_defined()) return;  // nothing is mapped
  FileState& file = file_of(dataset);
  const ByteView bytes = global_heap_object(file.structures(), layout.address, layout.heap_index);
  decode(format::decode<VirtualDatasetBlock>(bytes, layout.address, file.store().file()),
         layout.address);
  try {
    resolve(stored);
  } catch (const Error& error) {
    // The stored selections are invalid.
    if (error.code() != ErrorCode::invalid_argument) throw;
    fail("Virtual Selection #n", error.what());
  }
  boxes_.build();
}

void VirtualStorage::fail(const char* field, const std::string& what) const {
  ByteReader({}, heap_, file_of(dataset_).store().file(), VirtualDatasetBlock::kTitle)
      .fail(field, fmt::format("{} ({})", what, dataset_.path()));
}

void VirtualStorage::decode(const VirtualDatasetBlock& block, Address where) {
  ByteReader in({}, where, file_of(dataset_).store().file(), DataspaceSelection::kTitle);
  const auto name = [&](std::string_view text, const char* field) {
    const auto parsed = SourceName::parse(text);
    if (!parsed) fail(field, "has a % that neither b nor % follows");
    return *parsed;
  };
  const auto earlier = [&](std::uint64_t number, const char* field) -> const Mapping& {
    if (number >= mappings_.size()) fail(field, "is not an entry before");
    return mappings_[static_cast<std::size_t>(number)];
  };
  mappings_.reserve(block.entries.size());
  for (const VirtualMappingEntry& entry : block.entries) {
    Mapping mapping;
    mapping.file =
        entry.shares_file_name()
            ? earlier(entry.file_name_of, "Source Filename #n: entry").file
            : name(entry.is_in_same_file() ? "." : entry.file_name, "Source Filename #n");
    mapping.dataset = entry.shares_dataset_name()
                          ? earlier(entry.dataset_name_of, "Source Dataset #n: entry").dataset
                          : name(entry.dataset_name, "Source Dataset #n");
    mapping.source = to_selection(entry.source, in);
    mapping.mapped = to_selection(entry.mapped, in);
    for (const Selection* s : {&mapping.source, &mapping.mapped})
      if (s->kind() == Selection::Kind::points)
        in.refuse("Selection Type", "points in the mapping of a virtual dataset");
    mappings_.push_back(std::move(mapping));
  }
}

void VirtualStorage::resolve(const Dataspace& stored) {
  Shape shape = stored.shape();
  Shape least(shape.size(), 0);  // the extent that limited selections reach
  std::vector<std::optional<std::uint64_t>> grown(shape.size());
  const bool follows = file_of(dataset_).options().follow_external != FollowExternal::nowhere;
  for (const Mapping& m : mappings_) {
    const auto along = unlimited_dimension(m.mapped);
    if (m.mapped.rank() != shape.size() && m.mapped.rank() != 0)
      fail("Virtual Selection #n", "has not as many dimensions as the dataset");
    if (!along && m.source.is_unlimited())
      fail("Source Selection #n", "is unlimited, the virtual selection is not");
    const bool numbered = m.file.numbered || m.dataset.numbered;
    if (numbered != (along.has_value() && !m.source.is_unlimited()))
      fail("Source Dataset #n", numbered ? "has a %b, but the selections are not those of blocks"
                                         : "has no %b, but the selections are those of blocks");
    if (m.mapped.kind() == Selection::Kind::hyperslab)
      for (std::size_t d = 0; d < shape.size(); ++d) {
        const HyperslabSide side = side_of(m.mapped.hyperslab(), d);
        std::uint64_t end = 0;
        if (along && side.is_unlimited() && d != *along)
          fail("Virtual Selection #n", "has two unlimited dimensions");
        if (!side.is_unlimited() && !side.is_empty() && side.end(end))
          least[d] = std::max(least[d], end);
      }
    else if (m.mapped.kind() == Selection::Kind::irregular)
      for (std::size_t d = 0; const std::uint64_t end : m.mapped.bounding_box().end) {
        least[d] = std::max(least[d], end);
        ++d;
      }
    if (!along) {
      add_piece(m, 0, &m.source, &m.mapped);
    } else if (!follows && m.file.text != ".") {
      // The size stays as it was stored; reading refuses.
      add_piece(m, 0, &m.source, keep(m.mapped.clipped(shape)));
    } else {
      const std::uint64_t end = numbered ? add_blocks(m, *along) : add_growing(m, *along);
      grown[*along] = std::max(grown[*along].value_or(0), end);
    }
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (grown[d]) shape[d] = std::max(*grown[d], least[d]);
    if (shape[d] < least[d])
      fail("Virtual Selection #n",
           fmt::format("reaches {} in dimension {} of size {}", least[d], d, shape[d]));
  }
  if (shape != stored.shape()) {
    try {
      space_ = Dataspace(shape, stored.max_shape());
      static_cast<void>(space_.element_count());
    } catch (const Error& error) {
      fail("Virtual Selection #n", error.what());
    }
  }
  for (const Piece& piece : pieces_) boxes_.add(box_of(*piece.mapped, shape));
}

void VirtualStorage::add_piece(const Mapping& mapping, std::uint64_t block, const Selection* source,
                               const Selection* mapped) {
  pieces_.push_back({&mapping, block, source, mapped});
}

const Selection* VirtualStorage::keep(Selection selection) {
  return &kept_.emplace_back(std::move(selection));
}

std::uint64_t VirtualStorage::add_growing(const Mapping& mapping, std::size_t d) {
  std::string missing_file;
  const auto source = open(mapping, 0, missing_file);
  if (!source) return 0;
  const VirtualNesting nesting(dataset_);
  const Shape& extent = source->node->dataset().space.shape();
  const std::size_t along = *unlimited_dimension(mapping.source);
  for (std::size_t i = along + 1; i < mapping.source.rank(); ++i)
    if (side_of(mapping.source.hyperslab(), i).is_unlimited())
      fail("Source Selection #n", "has two unlimited dimensions");
  if (extent.size() != mapping.source.rank())
    fail("Source Selection #n", fmt::format("has {} dimensions, {} has {}", mapping.source.rank(),
                                            source->node->where(), extent.size()));
  const std::uint64_t count =
      coordinates_below(side_of(mapping.source.hyperslab(), along), extent[along]);
  const auto end = end_of(side_of(mapping.mapped.hyperslab(), d), count);
  if (!end) fail("Virtual Selection #n", "reaches beyond 2^64");
  if (count != 0)
    add_piece(mapping, 0, keep(clipped_along(mapping.source, along, extent[along])),
              keep(clipped_along(mapping.mapped, d, *end)));
  return *end;
}

std::uint64_t VirtualStorage::add_blocks(const Mapping& mapping, std::size_t d) {
  constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 20U;
  // If all names led to one dataset, there would be no end.
  constexpr unsigned kMostEqual = 4096;
  const HyperslabSide side = side_of(mapping.mapped.hyperslab(), d);
  if (side.count != Dataspace::kUnlimited || side.block == Dataspace::kUnlimited)
    fail("Virtual Selection #n", "of blocks is not unlimited in their number");
  std::uint64_t end = 0;
  unsigned equal = 0;
  Address last;
  std::string missing_file;
  for (std::uint64_t block = 0;; ++block) {
    const auto source = open(mapping, block, missing_file);
    if (!source) return end;
    equal = source->node->address == last ? equal + 1 : 0;
    last = source->node->address;
    Hyperslab part = mapping.mapped.hyperslab();
    part.count[d] = 1;
    if (__builtin_mul_overflow(block, side.stride, &part.start[d]) ||
        __builtin_add_overflow(part.start[d], side.start, &part.start[d]) ||
        __builtin_add_overflow(part.start[d], side.block, &end))
      fail("Virtual Selection #n", "reaches beyond 2^64");
    if (equal == kMostEqual || block == kMostBlocks)
      fail("Source Dataset #n", fmt::format("{} blocks, or more", block));
    add_piece(mapping, block, &mapping.source, keep(Selection(std::move(part))));
  }
}

void VirtualStorage::require_sources() const {
  std::string missing_file;
  for (const Mapping& m : mappings_) {
    // The sources of numbered names are those that are found.
    if (m.file.numbered || m.dataset.numbered || open(m, 0, missing_file)) continue;
    throw not_found_error("{}: virtual dataset: source \"{}\" in file \"{}\" does not exist",
                          dataset_.where(), m.dataset.of_block(0), m.file.of_block(0));
  }
}

std::optional<VirtualStorage::Source> VirtualStorage::open(const Mapping& mapping,
                                                           std::uint64_t block,
                                                           std::string& missing_file,
                                                           For use) const {
  Source source;
  std::string name = mapping.file.of_block(block);
  if (name == missing_file) return std::nullopt;
  source.file = name == "." ? file_of(dataset_).shared_from_this() : open_file(name, use);
  if (!source.file) {
    missing_file = std::move(name);
    return std::nullopt;
  }
  source.node = find_object(source.file->root(), mapping.dataset.of_block(block));
  if (source.node == nullptr) return std::nullopt;
  if (source.node->kind != ObjectKind::dataset)
    fail("Source Dataset #n", fmt::format("{} is not a dataset", source.node->where()));
  return source;
}

std::shared_ptr<FileState> VirtualStorage::open_file(const std::string& name, For use) const {
  constexpr std::size_t kMostKnown = 4096;
  const bool writes = use == For::writing;
  require_following(file_of(dataset_), dataset_.where() + ": virtual dataset: source file", name);
  {
    const std::scoped_lock lock(files_mutex_);
    if (const auto known = files_.find(name); known != files_.end())
      if (auto file = known->second.lock();
          file && file->is_open() && (!writes || file->access() == Access::read_write))
        return file;
  }
  auto file = file_of(dataset_).external_files()->source(dataset_, name, writes);
  if (!file) return file;
  const std::scoped_lock lock(files_mutex_);
  if (files_.size() >= kMostKnown) files_.clear();
  files_[name] = file;
  return file;
}

bool VirtualStorage::grows() const {
  return std::ranges::any_of(mappings_, [](const Mapping& m) { return m.mapped.is_unlimited(); });
}

std::vector<VirtualMapping> VirtualStorage::mappings() const {
  // Entries may share their names.
  constexpr std::size_t kMostNames = std::size_t{256} << 20U;
  std::size_t names = 0;
  std::vector<VirtualMapping> list;
  list.reserve(mappings_.size());
  for (const Mapping& m : mappings_) {
    names += m.file.text.size() + m.dataset.text.size();
    if (names > kMostNames)
      throw Error(ErrorCode::unsupported,
                  dataset_.where() + ": not supported: more than 256 MiB of source names");
    list.push_back({std::string(m.file.text), std::string(m.dataset.text), m.source, m.mapped});
  }
  return list;
}

}  // namespace onecast::virtual_datasets
