#include "objects/chunks/new_chunks.hpp"

#include <algorithm>

#include "objects/elements/piece_writer.hpp"

namespace onecast::chunks {
namespace {

bool fills_with_zeros(Node& dataset) {
  return std::ranges::all_of(dataset.dataset().fill_value,
                             [](std::byte b) { return b == std::byte{0}; });
}

/// Returns space that was never used: space that was given back would have to be filled by one rank
/// while the others wait.
Address unused_space(pages::PageAllocator& allocator, std::uint64_t size) {
  std::vector<Address> used;
  Address found = allocator.raw_data(size);
  for (; allocator.was_used(found, size); found = allocator.raw_data(size)) used.push_back(found);
  for (const Address address : used) allocator.free_raw_data(address, size);
  return found;
}

}  // namespace

ChunkSlot allocate_chunk(FileState& file, const DatasetInfo& dataset, std::uint64_t size,
                         std::uint32_t filter_mask) {
  const Address address = dataset.filters.empty() ? file.allocator().raw_data(size)
                                                  : file.allocator().packed_raw_data(size);
  return {address, size, filter_mask, false};
}

const ChunkSlot& NewChunks::add(EditedChunks& chunks, std::uint64_t number, std::uint64_t size,
                                std::uint32_t filter_mask) {
  const ChunkSlot slot = allocate_chunk(file_, chunks.dataset().dataset(), size, filter_mask);
  return added_.emplace_back(Added{&chunks, number, slot, true}).slot;
}

const ChunkSlot& NewChunks::add_allocated(EditedChunks& chunks, std::uint64_t number,
                                          const ChunkSlot& slot) {
  return added_.emplace_back(Added{&chunks, number, slot, false}).slot;
}

void NewChunks::enter() {
  const EditedChunks* last = nullptr;
  for (const Added& a : added_)
    if (a.is_new && a.chunks != last) (last = a.chunks)->dataset().edit();
  draft_.keep();
  for (const Added& a : added_) a.chunks->set(a.number, a.slot);
}

void NewChunks::enter_written() {
  enter();
  std::uint64_t& end = file_.changes().file_end;
  for (const Added& a : added_) end = std::max(end, a.slot.address.value + a.slot.size);
}

void allocate_encoded(EditedChunks& chunks, std::span<const std::uint64_t> numbers,
                      std::span<const EncodedChunk> encoded) {
  if (numbers.empty()) return;
  FileState& file = file_of(chunks.dataset());
  NewChunks places(file);
  PieceWriter writer(file);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    writer.add(
        places.add(chunks, numbers[i], encoded[i].bytes.size(), encoded[i].filter_mask).address,
        encoded[i].bytes);
  writer.finish();
  places.enter();
  for (const std::uint64_t number : numbers) chunks.forget_pending(number);
}

bool reads_as_fill(Node& dataset, Address chunk, std::uint64_t size) {
  return !file_of(dataset).allocator().was_used(chunk, size) && fills_with_zeros(dataset);
}

void allocate_chunks(Node& dataset, std::span<const ChunkToAllocate> chunks) {
  EditedChunks& edited = edited_chunks(dataset);
  FileState& file = file_of(dataset);
  const bool filtered = !dataset.dataset().filters.empty();
  const bool needs_fill = !filtered && !fills_with_zeros(dataset);
  dataset.edit();
  for (const ChunkToAllocate& c : chunks) {
    if (edited.table().find(c.number)) continue;
    // One rank would have to fill it while the others wait: it gets its place at the flush.
    if (needs_fill && !c.is_whole) continue;
    edited.set(c.number, filtered || c.is_whole
                             ? allocate_chunk(file, dataset.dataset(), c.size, c.filter_mask)
                             : ChunkSlot{unused_space(file.allocator(), c.size), c.size, 0, false});
  }
}

void allocate_all_chunks(Node& dataset) {
  EditedChunks& chunks = edited_chunks(dataset);
  const ChunkGrid& grid = chunks.table().grid();
  for (std::uint64_t number = 0; number < grid.total; ++number)
    chunks.set(number, allocate_chunk(file_of(dataset), dataset.dataset(), grid.bytes));
}

std::optional<Address> given_place(const Node& dataset, std::uint64_t number, std::uint64_t size) {
  const EditedChunks* edited = known_edited_chunks(dataset);
  if (edited == nullptr || edited->pending().contains(number)) return {};
  const auto slot = edited->table().find(number);
  if (!slot || slot->committed || slot->size != size) return {};
  return slot->address;
}

}  // namespace onecast::chunks
