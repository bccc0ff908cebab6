#include "onecast/objects/stored_chunks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "base/make_error.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "filters/filters.hpp"
#include "objects/any_layout/chunk_writer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_access.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/files/object_access.hpp"
#include "objects/handles/seen_chunks.hpp"
#include "objects/memory/digest.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/objects/file.hpp"

namespace onecast {

using namespace handles;

namespace {

StoredChunk described(const SeenChunks& chunks, const ChunkPlace& place) {
  if (chunks.is_in_memory(place.number))
    return {.start = chunks.start(place.number), .size = chunks.grid().bytes};
  return {.start = chunks.start(place.number),
          .size = place.size,
          .filter_mask = place.filter_mask,
          .address = place.address.value};
}

/// Returns the description of a chunk that has no place yet.
ChunkPlace in_memory(std::uint64_t number) {
  ChunkPlace place;
  place.number = number;
  return place;
}

/// Returns the bytes of all chunks, as stored.
std::uint64_t size_of(const SeenChunks& chunks) {
  std::uint64_t size = 0;
  const EditedChunks* edited = known_edited_chunks(chunks.node());
  if (edited == nullptr) {
    chunks_of(chunks.info()).for_each([&](const ChunkEntry& chunk) { size += chunk.size; });
    return size;
  }
  for (const auto& [number, slot] : edited->table().all())
    size += chunks.is_in_memory(number) ? chunks.from_memory(number).bytes.size() : slot.size;
  for (const auto& [number, pending] : edited->pending())
    if (!edited->table().find(number)) size += chunks.from_memory(number).bytes.size();
  return size;
}

/// Writes an unfiltered chunk: those of its elements that lie in the dataset.
void write_unfiltered(Dataset& dataset, const SeenChunks& chunks, const Shape& start,
                      std::span<const std::byte> bytes) {
  const Shape chunk = dataset.chunk_shape();
  Shape inside = chunk;
  for (std::size_t d = 0; d < chunk.size(); ++d)
    inside[d] = std::min(chunk[d], chunks.info().space.shape()[d] - start[d]);
  dataset.write(bytes, {.part = Hyperslab{start, inside},
                        .memory = MemoryLayout(chunk, Hyperslab{Shape(chunk.size(), 0), inside})});
}

void check_filtered(const SeenChunks& chunks, std::uint64_t size, std::uint32_t filter_mask) {
  const std::uint64_t chunk = chunks.grid().bytes;
  const std::size_t filters = chunks.info().filters.size();
  if (filters < 32 && filter_mask >> filters != 0)
    chunks.reject(fmt::format("filter_mask: {:#x} names more than the {} filters of the dataset",
                              filter_mask, filters));
  if (static_cast<std::size_t>(std::popcount(filter_mask)) == filters && size != chunk)
    chunks.reject(
        fmt::format("bytes: {} expected of a chunk without filters, {} given", chunk, size));
  // An index has room for sizes below 256 times that of the chunk, and below 4 GiB; readers accept
  // what check_place() accepts.
  const std::uint64_t most =
      std::min<std::uint64_t>({chunk * 256 - 1, largest_stored(chunk), UINT32_MAX});
  if (size == 0 || size > most)
    chunks.reject(fmt::format("bytes: 1 to {} expected, {} given", most, size));
}

void require_no_heap(const SeenChunks& chunks) {
  if (uses_heap(chunks.info().type))
    throw unsupported_error("{}: chunks of values of variable length", chunks.node().where());
}

/// Returns the address at which the caller may write a filtered chunk of `size` bytes.
Address place_of_chunk(const Dataset& dataset, const Shape& start, std::uint64_t size) {
  const SeenChunks chunks(dataset);
  require_writable(ObjectAccess::handle(dataset));
  require_there(chunks.node());
  const auto place = given_place(chunks.node(), chunks.number(start), size);
  if (!place)
    throw state_error("{}: chunk at [{}]: has no place for {} bytes since the last flush",
                      chunks.node().where(), fmt::join(start, ", "), size);
  return *place;
}

}  // namespace

std::vector<StoredChunk> stored_chunks(const Dataset& dataset) {
  const SeenChunks chunks(dataset);
  std::map<std::uint64_t, StoredChunk> found;
  const auto add = [&](std::uint64_t number, const ChunkPlace& place) {
    found.insert_or_assign(number, described(chunks, place));
  };
  for (const auto& [number, slot] : allocated_chunks(chunks.node()))
    add(number, {number, slot.address, slot.size, slot.filter_mask});
  if (const EditedChunks* edited = known_edited_chunks(chunks.node()))
    for (const auto& [number, pending] : edited->pending()) add(number, in_memory(number));
  std::vector<StoredChunk> all;
  all.reserve(found.size());
  for (auto& [number, chunk] : found) all.push_back(std::move(chunk));
  return all;
}

std::uint64_t Dataset::storage_size() const {
  Node& node = *node_;
  file_of(node).require_open();
  const DatasetInfo& info = node.dataset();
  switch (info.layout) {
    case Layout::compact:
      return info.compact.size();
    case Layout::virtual_dataset:
      return 0;
    case Layout::contiguous: {
      const bool has_space =
          info.is_external() || info.address.is_defined() || node.waiting() != nullptr;
      return has_space ? info.space.element_count() * info.type.size() : 0;
    }
    case Layout::chunked:
      break;
  }
  return size_of(SeenChunks(*this));
}

std::optional<StoredChunk> find_stored_chunk(const Dataset& dataset, const Shape& start) {
  const SeenChunks chunks(dataset);
  const std::uint64_t number = chunks.number(start);
  if (chunks.is_in_memory(number)) return described(chunks, in_memory(number));
  const auto place = find_chunk(chunks.node(), number);
  return place ? std::optional(described(chunks, *place)) : std::nullopt;
}

struct ChunkDecoder::Known {
  std::string where;
  std::vector<FilterSpec> filters;
  ChunkGrid grid;
  bool filters_partial;
};

ChunkDecoder::ChunkDecoder(const Dataset& dataset) {
  const SeenChunks chunks(dataset);
  require_no_heap(chunks);
  known_ = std::make_shared<const Known>(Known{chunks.node().where(), chunks.info().filters,
                                               chunks.grid(),
                                               chunks_of(chunks.info()).filters_partial_chunks()});
}

std::uint64_t ChunkDecoder::chunk_bytes() const { return known_->grid.bytes; }

void ChunkDecoder::decode(const Shape& start, std::span<const std::byte> stored,
                          std::uint32_t filter_mask, std::span<std::byte> out) const {
  const Known& known = *known_;
  const auto at = chunk_that_begins(known.grid, start);
  if (!at) reject_start(known.where, start);
  const auto where = [&] {
    return fmt::format("{}: chunk at [{}]", known.where, fmt::join(start, ", "));
  };
  if (out.size() != known.grid.bytes)
    throw argument_error("{}: out: {} bytes expected, {} given", where(), known.grid.bytes,
                         out.size());
  if (!known.filters.empty() && (known.filters_partial || !known.grid.is_partial(*at)))
    return decode_chunk(known.filters, filter_mask, stored, out, where);
  if (stored.size() != out.size())
    throw format_error("{}: has {} bytes, not {}", where(), stored.size(), out.size());
  std::ranges::copy(stored, out.begin());
}

void write_stored_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes,
                        std::uint32_t filter_mask) {
  const SeenChunks chunks(dataset);
  require_writable(ObjectAccess::handle(dataset));
  require_there(chunks.node());
  const std::uint64_t number = chunks.number(start);
  require_no_heap(chunks);
  if (!is_filtered(chunks.info(), number)) {
    if (filter_mask != 0) chunks.reject("filter_mask: this chunk has no filters");
    return write_unfiltered(dataset, chunks, start, bytes);
  }
  check_filtered(chunks, bytes.size(), filter_mask);
  EditedChunks& edited = edited_chunks(chunks.node());
  const EncodedChunk encoded{copy_of(chunks.node(), bytes), filter_mask};
  if (allocation_for(chunks.node()) == Allocation::at_once) {
    allocate_encoded(edited, {&number, 1}, {&encoded, 1});
  } else {
    edited.keep_own(number, edited.waiting(encoded));
  }
}

void allocate_chunks(Dataset& dataset, std::span<const NewChunk> wanted) {
  begin_adding(ObjectAccess::handle(dataset));  // it may flush, and forget what was decoded
  const SeenChunks chunks(dataset);
  require_there(chunks.node());
  FileState& file = file_of(chunks.node());
  file.require_editable();
  require_changeable(chunks.node(), "allocate_chunks");
  require_no_heap(chunks);
  std::vector<ChunkToAllocate> places;
  Digest digest;
  for (const NewChunk& p : wanted) {
    const std::uint64_t number = chunks.number(p.start);
    if (is_filtered(chunks.info(), number))
      check_filtered(chunks, p.size, p.filter_mask);
    else if (p.filter_mask != 0)
      chunks.reject("filter_mask: this chunk has no filters");
    places.push_back({number, is_filtered(chunks.info(), number) ? p.size : chunks.grid().bytes,
                      p.filter_mask, p.is_whole});
    digest.add(number)
        .add(places.back().size)
        .add(std::uint64_t{p.filter_mask})
        .add(std::uint64_t{p.is_whole ? 1U : 0U});
  }
  chunks::allocate_chunks(chunks.node(), places);
  file.log().add("allocate chunks of", chunks.node(), "", {CallArguments::kStorage, digest});
}

void write_allocated_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes) {
  write_raw(file_of(ObjectAccess::node(dataset)), place_of_chunk(dataset, start, bytes.size()),
            bytes);
}

void write_allocated_chunks(File& file, std::span<const AllocatedChunk> chunks,
                            const std::exception_ptr& failure) {
  FileState& state = FileAccess::state(file);
  state.require_open();
  std::vector<Address> places;
  std::exception_ptr why = failure;
  comm::try_to(why, [&] {
    for (const AllocatedChunk& chunk : chunks) {
      if (&file_of(ObjectAccess::node(chunk.dataset)) != &state)
        throw argument_error("{}: write_allocated_chunks: {} is of another file", state.path(),
                             ObjectAccess::node(chunk.dataset).where());
      places.push_back(place_of_chunk(chunk.dataset, chunk.start, chunk.bytes.size()));
    }
  });
  state.calls().meet({.kind = CallKind::write_allocated_chunks}, why);
  ChunkWriter writer(state);
  comm::try_to(why, [&] {
    for (std::size_t i = 0; i < chunks.size(); ++i)
      writer.add(places[i], {chunks[i].bytes.begin(), chunks[i].bytes.end()});
  });
  writer.finish(why);
  if (!goes_together(state))
    agree(state.comm(), [&] {
      if (why) std::rethrow_exception(why);
    });
}

}  // namespace onecast
