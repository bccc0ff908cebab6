#include "objects/chunks/new_chunks.hpp"

#include <algorithm>

#include "objects/elements/piece_writer.hpp"

namespace onecast::chunks {

ChunkSlot new_place(FileState& file, const DatasetInfo& dataset, std::uint64_t size,
                    std::uint32_t filter_mask) {
  const Address address = dataset.filters.empty() ? file.allocator().raw_data(size)
                                                  : file.allocator().packed_raw_data(size);
  return {address, size, filter_mask, false};
}

const ChunkSlot& NewChunks::add(EditedChunks& chunks, std::uint64_t number, std::uint64_t size,
                                std::uint32_t filter_mask) {
  const ChunkSlot slot = new_place(file_, chunks.dataset().dataset(), size, filter_mask);
  return added_.emplace_back(Added{&chunks, number, slot, true}).slot;
}

const ChunkSlot& NewChunks::add_placed(EditedChunks& chunks, std::uint64_t number,
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

void place_encoded(EditedChunks& chunks, std::span<const std::uint64_t> numbers,
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

}  // namespace onecast::chunks
