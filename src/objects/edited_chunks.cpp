#include "objects/edited_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/worker_pool.hpp"
#include "objects/chunk_access.hpp"
#include "objects/chunk_index_update.hpp"
#include "objects/file_state.hpp"
#include "objects/piece_writer.hpp"
#include "objects/raw_data.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

namespace {

/// Chunks that are not filtered as long as they are partial would have to be filtered when the
/// dataset grows. Large ones need version 5 of the layout message.
void require_editable_form(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  const auto refuse = [&](const char* what) {
    throw Error(ErrorCode::unsupported, fmt::format("{}: not supported: adding or changing chunks "
                                                    "of a dataset with {}",
                                                    dataset.where(), what));
  };
  if (!info.chunks->filters_partial_chunks()) refuse("partial edge chunks that are not filtered");
  for (const std::uint64_t n : info.chunk)
    if (n > UINT32_MAX) refuse("2^32 or more elements in a dimension of a chunk");
  if (info.chunks->grid().bytes > UINT32_MAX) refuse("chunks of 4 GiB or more");
}

}  // namespace

EditedChunks& edited_chunks(Node& dataset) {
  if (!dataset.edited_chunks) {
    require_editable_form(dataset);
    require_index_room(dataset, dataset.dataset().space.shape());
    dataset.own();
    dataset.edited_chunks = std::make_unique<EditedChunks>(dataset);
  }
  if (!dataset.edited_chunks->is_listed) dataset.file->edited_datasets.push_back(&dataset);
  dataset.edited_chunks->is_listed = true;
  return *dataset.edited_chunks;
}

EditedChunks::EditedChunks(Node& dataset)
    : dataset_(dataset), table_(dataset.dataset().chunks->grid()) {
  load_chunk_table(dataset, table_);
}

std::uint64_t EditedChunks::locate(const BoundSelection& selection, std::vector<ChunkPlace>& found,
                                   std::vector<std::uint64_t>& in_memory) const {
  // More are asked for together.
  constexpr std::size_t kFew = 8;
  std::vector<std::uint64_t> numbers = chunk_numbers(selection, table_.grid());
  const std::size_t wanted = numbers.size();
  const bool together = table_.stored() != nullptr && wanted > kFew;
  std::erase_if(numbers, [&](std::uint64_t number) {
    if (pending_.contains(number) || table_.valid_extent(number) != nullptr)
      in_memory.push_back(number);
    else if (together && !table_.slots().contains(number))
      return false;
    else if (const auto slot = table_.find(number))
      found.push_back({number, slot->address, slot->size, slot->filter_mask});
    return true;
  });
  if (together) {
    std::erase_if(numbers, [&](std::uint64_t number) { return !table_.is_left(number); });
    find_chunks(*table_.stored(), table_.grid(), numbers, found);
  }
  return wanted;
}

Buffer EditedChunks::image(std::uint64_t number) const {
  const DatasetInfo& info = dataset_.dataset();
  const ChunkGrid& grid = table_.grid();
  if (const auto found = pending_.find(number); found != pending_.end()) {
    Buffer bytes(static_cast<std::size_t>(grid.bytes));
    const PendingChunk& p = found->second;
    if (p.decoded.empty() && is_filtered(info, number))
      decode_chunk(info.filters, p.encoded.filter_mask, p.encoded.bytes, bytes.span(),
                   where_is(dataset_, grid, number));
    else
      std::memcpy(bytes.data(), p.stored().data(), bytes.size());
    return bytes;
  }
  return stored_image(number);
}

Buffer EditedChunks::stored_image(std::uint64_t number) const {
  const DatasetInfo& info = dataset_.dataset();
  const ChunkGrid& grid = table_.grid();
  Buffer bytes(static_cast<std::size_t>(grid.bytes));
  const auto slot = table_.find(number);
  if (!slot) {
    fill(bytes.span(), info.fill_value);
    return bytes;
  }
  read_chunk(dataset_, info, {number, slot->address, slot->size, slot->filter_mask}, bytes.span());
  if (const ChunkCoordinates* extent = table_.valid_extent(number))
    fill_beyond(bytes.span(), grid, number, *extent, info.fill_value, info.type.size());
  return bytes;
}

// --- what is pending ----------------------------------------------------------------------------
void EditedChunks::set_decoded(std::uint64_t number, PendingChunk& chunk, Buffer bytes) {
  chunk.encoded = {};
  chunk.decoded = std::move(bytes);
  // Encoding others would not make them smaller.
  if (dataset_.dataset().filters.empty()) return;
  chunk.is_counted = true;
  dataset_.file->decoded_chunk_bytes += chunk.decoded.size();
  chunk.use = uses_.insert(uses_.end(), number);
}

void EditedChunks::drop_decoded(PendingChunk& chunk) {
  if (chunk.is_counted) {
    dataset_.file->decoded_chunk_bytes -= chunk.decoded.size();
    uses_.erase(chunk.use);
    chunk.is_counted = false;
  }
  chunk.decoded = {};
}

void EditedChunks::make_encoded(PendingChunk& chunk, EncodedChunk encoded) {
  drop_decoded(chunk);
  chunk.encoded = std::move(encoded);
}

PendingChunk& EditedChunks::pending(std::uint64_t number) {
  const auto found = pending_.find(number);
  if (found != pending_.end() && !found->second.decoded.empty()) {
    if (found->second.is_counted) uses_.splice(uses_.end(), uses_, found->second.use);
    return found->second;
  }
  Buffer bytes = image(number);
  PendingChunk& chunk = pending_[number];
  set_decoded(number, chunk, std::move(bytes));
  return chunk;
}

void EditedChunks::keep_encoded(std::uint64_t number, EncodedChunk encoded, bool held) {
  PendingChunk& chunk = pending_[number];
  make_encoded(chunk, std::move(encoded));
  chunk.is_held = chunk.is_held || held;
}

void EditedChunks::forget_pending(std::uint64_t number) {
  const auto found = pending_.find(number);
  if (found == pending_.end()) return;
  drop_decoded(found->second);
  pending_.erase(found);
}

void EditedChunks::forget_all_pending() {
  while (!pending_.empty()) forget_pending(pending_.begin()->first);
}

EncodedChunk EditedChunks::encode(std::uint64_t number, std::span<const std::byte> chunk) const {
  const DatasetInfo& info = dataset_.dataset();
  if (!is_filtered(info, number)) return {{chunk.begin(), chunk.end()}, 0};
  EncodedChunk encoded =
      encode_chunk(info.filters, chunk, where_is(dataset_, table_.grid(), number));
  // "Size of chunk in bytes" has 32 bits.
  if (encoded.bytes.size() > UINT32_MAX)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: has {} bytes, filtered; at most 2^32 - 1 can be stored",
                            where_is(dataset_, table_.grid(), number), encoded.bytes.size()));
  return encoded;
}

void EditedChunks::encode_some(std::span<const std::uint64_t> numbers) {
  std::vector<EncodedChunk> encoded(numbers.size());
  run_parallel(dataset_.file->options.decode_threads, numbers.size(), [&](std::size_t i) {
    encoded[i] = encode(numbers[i], pending_.find(numbers[i])->second.decoded.span());
  });
  for (std::size_t i = 0; i < numbers.size(); ++i)
    make_encoded(pending_.find(numbers[i])->second, std::move(encoded[i]));
}

void EditedChunks::encode_all() {
  std::vector<std::uint64_t> numbers(uses_.begin(), uses_.end());
  std::sort(numbers.begin(), numbers.end());
  encode_some(numbers);
}

void EditedChunks::make_room(bool may_place) {
  const FileState& file = *dataset_.file;
  const std::uint64_t limit = file.options.chunk_cache_bytes;
  if (file.decoded_chunk_bytes <= limit || uses_.size() < 2) return;
  // Some more at once: they are encoded on several threads.
  std::uint64_t left = file.decoded_chunk_bytes;
  std::vector<std::uint64_t> numbers;
  for (auto at = uses_.begin(); std::next(at) != uses_.end() && left > limit / 4 * 3; ++at) {
    numbers.push_back(*at);
    left -= std::min<std::uint64_t>(left, table_.grid().bytes);
  }
  std::sort(numbers.begin(), numbers.end());
  encode_some(numbers);
  if (!may_place) return;
  std::erase_if(numbers, [&](std::uint64_t n) { return pending_.find(n)->second.is_held; });
  std::vector<EncodedChunk> encoded;
  encoded.reserve(numbers.size());
  for (const std::uint64_t n : numbers)
    encoded.push_back(std::move(pending_.find(n)->second.encoded));
  place(numbers, encoded);
}

// --- places in the file --------------------------------------------------------------------------
void EditedChunks::place(std::span<const std::uint64_t> numbers,
                         std::span<const EncodedChunk> chunks) {
  if (numbers.empty()) return;
  FileState& file = *dataset_.file;
  dataset_.edit();
  PieceWriter writer(file);
  const bool filtered = !dataset_.dataset().filters.empty();
  std::vector<ChunkSlot> slots;
  for (const EncodedChunk& c : chunks) {
    const std::uint64_t size = c.bytes.size();
    const Address address =
        filtered ? file.allocator->packed_raw_data(size) : file.allocator->raw_data(size);
    slots.push_back({address, size, c.filter_mask, false});
  }
  try {
    for (std::size_t i = 0; i < slots.size(); ++i) writer.add(slots[i].address, chunks[i].bytes);
    writer.finish();
  } catch (...) {
    for (const ChunkSlot& slot : slots) file.allocator->free_raw_data(slot.address, slot.size);
    throw;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    set(numbers[i], slots[i]);
    forget_pending(numbers[i]);
  }
}

void EditedChunks::set(std::uint64_t number, const ChunkSlot& slot) {
  std::vector<ChunkSlot> freed;
  table_.set(number, slot, freed);
  release(freed);
  dataset_.file->chunk_cache.erase({dataset_.dataset().chunks->id(), number});
}

void EditedChunks::release(const std::vector<ChunkSlot>& freed) {
  FileState& file = *dataset_.file;
  for (const ChunkSlot& slot : freed) {
    if (slot.committed)
      file.released.raw_data.push_back({slot.address, slot.size});
    else
      file.allocator->free_raw_data(slot.address, slot.size);
  }
}

void EditedChunks::resize(const ChunkGrid& next) {
  const ChunkGrid before = table_.grid();
  bool only_grows = true;
  for (unsigned d = 0; d < next.rank; ++d)
    only_grows = only_grows && next.extent[d] >= before.extent[d] &&
                 (d == 0 || next.count[d] == before.count[d]);
  if (!only_grows) resize_pending(before, next);
  std::vector<ChunkSlot> freed;
  table_.resize(next, freed);
  release(freed);
}

void EditedChunks::resize_pending(const ChunkGrid& before, const ChunkGrid& next) {
  const DatasetInfo& info = dataset_.dataset();
  ChunkCoordinates extent;
  for (unsigned d = 0; d < next.rank; ++d) extent[d] = std::min(before.extent[d], next.extent[d]);
  Pending kept;
  while (!pending_.empty()) {
    const std::uint64_t number = pending_.begin()->first;
    const ChunkCoordinates at = before.coordinates(number);
    if (!next.contains(at)) {
      forget_pending(number);
      continue;
    }
    bool loses = false;
    for (unsigned d = 0; d < next.rank; ++d)
      loses = loses || extent[d] < std::min(before.extent[d], (at[d] + 1) * before.chunk[d]);
    if (loses)
      fill_beyond(pending(number).decoded.span(), before, number, extent, info.fill_value,
                  info.type.size());
    auto chunk = pending_.extract(number);
    chunk.key() = next.number(at);
    if (chunk.mapped().is_counted) *chunk.mapped().use = chunk.key();
    kept.insert(kept.end(), std::move(chunk));
  }
  pending_ = std::move(kept);
}

}  // namespace onecast
