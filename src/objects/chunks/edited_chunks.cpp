#include "objects/chunks/edited_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "base/make_error.hpp"
#include "base/worker_pool.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/stored_chunk_index.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::chunks {

namespace {

/// Refuses datasets whose partial chunks are not filtered: these would have to be filtered when the
/// dataset grows. Large chunks need version 5 of the layout message.
void require_editable_form(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  const auto refuse = [&](const char* what) {
    throw unsupported_error(
        "{}: not supported: adding or changing chunks "
        "of a dataset with {}",
        dataset.where(), what);
  };
  if (!chunks_of(info).filters_partial_chunks())
    refuse("partial edge chunks that are not filtered");
  for (const std::uint64_t n : info.chunk)
    if (n > UINT32_MAX) refuse("2^32 or more elements in a dimension of a chunk");
  if (chunks_of(info).grid().bytes > UINT32_MAX) refuse("chunks of 4 GiB or more");
}

}  // namespace

/// Readers of a file that is written meanwhile cannot follow nodes of a version 1 B-tree, which
/// have no checksums.
void require_index_for_readers(Node& dataset) {
  if (stored_layout(dataset).index_type == ChunkIndexType::btree_v1)
    throw unsupported_error(
        "{}: not supported while the file is written for readers (SWMR): "
        "changing the chunks of a dataset whose index is a version 1 B-tree",
        dataset.where());
}

EditedChunks& edited_chunks(Node& dataset) {
  if (file_of(dataset).is_swmr()) require_index_for_readers(dataset);
  EditedChunks* edited = known_edited_chunks(dataset);
  if (edited == nullptr) {
    require_editable_form(dataset);
    require_index_room(dataset, dataset.dataset().space.shape());
    dataset.own();
    auto made = std::make_unique<EditedChunks>(dataset);
    edited = made.get();
    dataset.written = std::move(made);
  }
  if (!edited->is_listed) file_of(dataset).changes().edited_datasets.push_back(&dataset);
  edited->is_listed = true;
  return *edited;
}

EditedChunks::EditedChunks(Node& dataset)
    : WrittenStorage(Kind::chunks), dataset_(dataset), table_(chunks_of(dataset.dataset()).grid()) {
  if (auto index = stored_index(dataset, table_.grid()))
    table_.set_stored(std::move(index));
  else
    chunks_of(dataset.dataset()).for_each([&](const ChunkEntry& entry) { table_.load(entry); });
}

std::uint64_t EditedChunks::locate(const BoundSelection& selection, std::vector<ChunkPlace>& found,
                                   std::vector<std::uint64_t>& in_memory) const {
  // More chunks than this are searched for together.
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
  const ChunkGrid& grid = table_.grid();
  if (const auto found = pending_.find(number); found != pending_.end()) {
    Buffer bytes(static_cast<std::size_t>(grid.bytes));
    const PendingChunk& p = found->second;
    if (p.is_decoded())
      std::memcpy(bytes.data(), p.decoded.data(), bytes.size());
    else
      decode(p.stored, number, bytes.span());
    return bytes;
  }
  return stored_image(number);
}

void EditedChunks::decode(const WaitingChunk& stored, std::uint64_t number,
                          std::span<std::byte> out) const {
  const DatasetInfo& info = dataset_.dataset();
  if (is_filtered(info, number))
    decode_chunk(info.filters, stored.filter_mask, stored.bytes.bytes(), out,
                 [&] { return where_is(dataset_, table_.grid(), number); });
  else
    stored.bytes.read(0, out);
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
  chunk.stored = {};
  chunk.decoded = std::move(bytes);
  file_of(dataset_).changes().decoded_chunks.bytes += chunk.decoded.size();
  if (uses_.empty()) file_of(dataset_).changes().decoded_chunks.datasets.insert(this);
  chunk.use = uses_.insert(uses_.end(), number);
}

void EditedChunks::drop_decoded(PendingChunk& chunk) {
  if (!chunk.is_decoded()) return;
  file_of(dataset_).changes().decoded_chunks.bytes -= chunk.decoded.size();
  uses_.erase(chunk.use);
  if (uses_.empty()) file_of(dataset_).changes().decoded_chunks.datasets.erase(this);
  chunk.decoded = {};
}

PendingChunk& EditedChunks::decoded(std::uint64_t number) {
  const auto found = pending_.find(number);
  if (found != pending_.end() && found->second.is_decoded()) {
    uses_.splice(uses_.end(), uses_, found->second.use);
    return found->second;
  }
  Buffer bytes = image(number);
  PendingChunk& chunk = pending_[number];
  set_decoded(number, chunk, std::move(bytes));
  return chunk;
}

PendingChunk& EditedChunks::unfiltered(std::uint64_t number) {
  if (const auto found = pending_.find(number); found != pending_.end()) return found->second;
  const DatasetInfo& info = dataset_.dataset();
  WaitingBytes bytes(file_of(dataset_).changes().waiting, table_.grid().bytes, info.type.size(),
                     info.fill_value);
  if (table_.find(number)) {
    const Buffer old = stored_image(number);
    bytes.reserve(0, old.size());
    bytes.write(0, old.span());
  }
  PendingChunk& chunk = pending_[number];
  chunk.stored.bytes = std::move(bytes);
  return chunk;
}

WaitingChunk EditedChunks::waiting(const EncodedChunk& encoded) const {
  return {WaitingBytes(file_of(dataset_).changes().waiting, encoded.bytes), encoded.filter_mask};
}

void EditedChunks::keep(std::uint64_t number, WaitingChunk encoded, bool held) {
  PendingChunk& chunk = pending_[number];
  drop_decoded(chunk);
  chunk.stored = std::move(encoded);
  chunk.is_held = chunk.is_held || held;
}

void EditedChunks::keep_own(std::uint64_t number, WaitingChunk encoded) {
  set_apart(number);
  pending_[number].written.add(0, table_.grid().bytes);
  keep(number, std::move(encoded), true);
}

void EditedChunks::keep_of_all(std::uint64_t number, WaitingChunk encoded) {
  forget_pending(number);
  keep(number, std::move(encoded), true);
  pending_.find(number)->second.is_of_all = true;
}

void EditedChunks::set_apart(std::uint64_t number) {
  const auto found = pending_.find(number);
  if (found == pending_.end() || file_of(dataset_).comm().size() == 1) return;
  PendingChunk& chunk = found->second;
  if (!chunk.is_of_all || !chunk.written.empty()) return;
  chunk.of_all = chunk.is_decoded()
                     ? waiting(encode(number, chunk.decoded.span()))
                     : waiting({chunk.stored.bytes.bytes(), chunk.stored.filter_mask});
}

Buffer EditedChunks::image_of_all(const PendingChunk& chunk, std::uint64_t number) const {
  if (!chunk.is_of_all) return stored_image(number);
  if (chunk.of_all.bytes.empty()) return image(number);
  Buffer bytes(static_cast<std::size_t>(table_.grid().bytes));
  decode(chunk.of_all, number, bytes.span());
  return bytes;
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

void EditedChunks::drop() {
  for (const auto& [number, slot] : table_.slots())
    file_of(dataset_).release_raw_data(slot.address, slot.size);
  forget_all_pending();
}

EncodedChunk EditedChunks::encode(std::uint64_t number, std::span<const std::byte> chunk) const {
  const DatasetInfo& info = dataset_.dataset();
  if (!is_filtered(info, number)) return {{chunk.begin(), chunk.end()}, 0};
  const auto where = [&] { return where_is(dataset_, table_.grid(), number); };
  EncodedChunk encoded = encode_chunk(info.filters, chunk, where);
  // "Size of chunk in bytes" has 32 bits.
  if (encoded.bytes.size() > UINT32_MAX)
    throw unsupported_error("{}: has {} bytes, filtered; at most 2^32 - 1 can be stored", where(),
                            encoded.bytes.size());
  return encoded;
}

std::vector<EncodedChunk> EditedChunks::encode_some(std::span<const std::uint64_t> numbers) const {
  std::vector<EncodedChunk> encoded(numbers.size());
  run_parallel(file_of(dataset_).options().decode_threads, numbers.size(), [&](std::size_t i) {
    encoded[i] = encode(numbers[i], pending_.find(numbers[i])->second.decoded.span());
  });
  return encoded;
}

void EditedChunks::keep_some(std::span<const std::uint64_t> numbers,
                             std::span<const EncodedChunk> encoded) {
  for (std::size_t i = 0; i < numbers.size(); ++i) keep(numbers[i], waiting(encoded[i]), false);
}

void EditedChunks::encode_all() {
  std::vector<std::uint64_t> numbers(uses_.begin(), uses_.end());
  std::sort(numbers.begin(), numbers.end());
  keep_some(numbers, encode_some(numbers));
}

void EditedChunks::make_room(const Allocate& allocate) {
  FileState& file = file_of(dataset_);
  const std::uint64_t limit = file.options().chunk_cache_bytes;
  if (file.changes().decoded_chunks.bytes <= limit) return;
  // Encode some more at once, because several threads encode them.
  std::uint64_t left = file.changes().decoded_chunks.bytes;
  std::vector<std::uint64_t> kept;
  std::vector<std::uint64_t> allocated;
  for (const std::uint64_t number : uses_) {
    if (number == uses_.back() || left <= limit / 4 * 3) break;
    const bool waits = !allocate || pending_.find(number)->second.is_held;
    (waits ? kept : allocated).push_back(number);
    left -= std::min<std::uint64_t>(left, table_.grid().bytes);
  }
  std::sort(kept.begin(), kept.end());
  std::sort(allocated.begin(), allocated.end());
  keep_some(kept, encode_some(kept));
  if (!allocated.empty()) allocate(allocated, encode_some(allocated));
  if (allocate || file.changes().decoded_chunks.bytes <= limit + file.changes().waiting.limit())
    return;
  const std::vector<WrittenStorage*> all(file.changes().decoded_chunks.datasets.begin(),
                                         file.changes().decoded_chunks.datasets.end());
  for (WrittenStorage* other : all) {
    if (other == this) continue;
    try {
      static_cast<EditedChunks*>(other)->encode_all();
    } catch (const Error& error) {
      // A chunk that cannot be encoded stays decoded; the flush reports the error.
      if (error.code() == ErrorCode::io) throw;
    }
  }
}

// --- places in the file --------------------------------------------------------------------------
void EditedChunks::set(std::uint64_t number, const ChunkSlot& slot) {
  std::vector<ChunkSlot> freed;
  table_.set(number, slot, freed);
  release(freed);
  file_of(dataset_).transfers().chunk_cache.erase({chunks_of(dataset_.dataset()).id(), number});
}

void EditedChunks::release(const std::vector<ChunkSlot>& freed) {
  FileState& file = file_of(dataset_);
  for (const ChunkSlot& slot : freed) {
    if (slot.committed)
      file.release_raw_data(slot.address, slot.size);
    else
      file.allocator().free_raw_data(slot.address, slot.size);
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
    if (loses) {
      const bool filtered = is_filtered(info, number);
      Buffer whole = filtered ? Buffer() : image(number);
      fill_beyond(filtered ? decoded(number).decoded.span() : whole.span(), before, number, extent,
                  info.fill_value, info.type.size());
      if (!filtered) unfiltered(number).stored.bytes.rewrite(whole.span());
      if (PendingChunk& chunk = pending_.find(number)->second; !chunk.of_all.bytes.empty()) {
        Buffer of_all = image_of_all(chunk, number);
        fill_beyond(of_all.span(), before, number, extent, info.fill_value, info.type.size());
        chunk.of_all = waiting(encode(number, of_all.span()));
      }
    }
    auto chunk = pending_.extract(number);
    chunk.key() = next.number(at);
    if (chunk.mapped().is_decoded()) *chunk.mapped().use = chunk.key();
    kept.insert(kept.end(), std::move(chunk));
  }
  pending_ = std::move(kept);
}

}  // namespace onecast::chunks
