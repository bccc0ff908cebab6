#include "objects/chunks/chunk_write.hpp"

#include <algorithm>
#include <utility>

#include "base/worker_pool.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_elements.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/elements/piece_writer.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast::chunks {
namespace {

/// One write of selected elements, chunk by chunk.
class ChunkedWrite {
 public:
  ChunkedWrite(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
               Allocation allocation)
      : dataset_(dataset),
        file_(file_of(dataset)),
        elements_(dataset, selection, elements),
        is_of_all_(allocation == Allocation::at_flush_of_all),
        allocation_(is_of_all_ ? Allocation::at_flush : allocation) {}

  /// Writes without changing the index, if that is possible; works with any form of index.
  bool write_in_place() {
    if (elements_.are_filtered()) return false;
    const LocatedChunks located = locate_chunks(dataset_, elements_.selection());
    if (!located.are_all_allocated()) return false;
    check_places(dataset_, located.places);
    PieceWriter writer(file_);
    for (const ChunkPlace& place : located.places)
      elements_.write(place.number, writer, place.address);
    writer.finish();
    return true;
  }

  /// Removes from pending chunks the elements that this rank wrote independently and that all ranks
  /// now write.
  void give_way(EditedChunks& chunks) {
    for (const std::uint64_t number : elements_.numbers()) {
      if (!chunks.pending().contains(number)) continue;
      PendingChunk& pending =
          elements_.are_filtered() ? chunks.decoded(number) : chunks.unfiltered(number);
      if (elements_.are_filtered())
        elements_.copy(number, pending.decoded.span());
      else
        put(number, pending.stored.bytes);
      note_overwritten(number, pending.written);
      if (pending.written.empty()) chunks.forget_pending(number);
    }
    chunks.make_room({});
  }

  void write(EditedChunks& chunks) {
    const bool filtered = elements_.are_filtered();
    std::vector<std::uint64_t> whole;
    std::vector<std::uint64_t> parts;
    std::vector<std::uint64_t> fresh;
    std::vector<std::pair<std::uint64_t, Address>> in_place;
    for (const std::uint64_t number : elements_.numbers()) {
      const auto slot = chunks.table().find(number);
      if (!slot && !filtered && allocation_ == Allocation::at_once)
        fresh.push_back(number);
      else if (!filtered && slot.has_value() && chunks.table().valid_extent(number) == nullptr &&
               !chunks.pending().contains(number) && allocation_ != Allocation::given)
        in_place.emplace_back(number, slot->address);
      else if (elements_.is_whole(number) && (allocation_ != Allocation::at_flush || filtered))
        whole.push_back(number);
      else
        parts.push_back(number);
    }
    // Steps that may find no room come first.
    if (allocation_ == Allocation::at_flush) {
      if (!filtered) reserve(chunks, parts);
      write_whole(chunks, std::exchange(whole, {}));
    }
    PieceWriter writer(file_);
    for (const auto& [number, address] : in_place) elements_.write(number, writer, address);
    writer.finish();
    if (!fresh.empty()) write_fresh(chunks, fresh);
    for (const std::uint64_t number : parts)
      filtered ? change_decoded(chunks, number) : change_stored(chunks, number);
    write_whole(chunks, whole);
  }

 private:
  /// Writes new unfiltered chunks from the caller's memory to their places. The rest of a chunk
  /// written in part costs nothing if the file has zeros there and the fill value is zero.
  void write_fresh(EditedChunks& chunks, const std::vector<std::uint64_t>& numbers) {
    const std::uint64_t bytes = elements_.grid().bytes;
    NewChunks places(file_);
    for (const std::uint64_t number : numbers) places.add(chunks, number, bytes);
    PieceWriter writer(file_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool is_covered = elements_.is_whole(numbers[i]) && !elements_.is_partial(numbers[i]);
      if (!is_covered && !reads_as_fill(dataset_, places[i].address, bytes))
        write_fill(file_, places[i].address, bytes, elements_.fill_value());
      elements_.write(numbers[i], writer, places[i].address);
    }
    writer.finish();
    places.enter();
  }

  void put(std::uint64_t number, WaitingBytes& chunk) const {
    elements_.for_each_piece(number, [&](std::uint64_t at, std::span<const std::byte> bytes) {
      chunk.write(at, bytes);
    });
  }

  /// Makes unfiltered chunks pending, to wait for the flush. Everything that can fail comes before
  /// any of them changes.
  void reserve(EditedChunks& chunks, const std::vector<std::uint64_t>& numbers) const {
    std::vector<std::uint64_t> fresh;
    try {
      for (const std::uint64_t number : numbers) {
        if (!chunks.pending().contains(number)) fresh.push_back(number);
        WaitingBytes& bytes = chunks.unfiltered(number).stored.bytes;
        elements_.for_each_range(number, [&](std::uint64_t first, std::uint64_t end) {
          bytes.reserve(first, end - first);
        });
      }
    } catch (...) {
      for (const std::uint64_t number : fresh) chunks.forget_pending(number);
      throw;
    }
  }

  /// Changes a filtered chunk that is written in part.
  void change_decoded(EditedChunks& chunks, std::uint64_t number) {
    PendingChunk& pending = chunks.decoded(number);
    // This chunk stays decoded, because it was used last.
    chunks.make_room(allocation_ != Allocation::at_once
                         ? EditedChunks::Allocate()
                         : [&](const auto& numbers, const auto& encoded) {
                             allocate_encoded(chunks, numbers, encoded);
                           });
    if (is_of_all_)
      add_to_all(chunks, pending, number);
    else if (allocation_ == Allocation::at_flush)
      chunks.set_apart(number);
    elements_.copy(number, pending.decoded.span());
    pending.is_held = pending.is_held || allocation_ == Allocation::at_flush;
    if (allocation_ == Allocation::at_flush && !is_of_all_) note_written(number, pending.written);
  }

  /// Changes an unfiltered chunk that has no place that may be written to.
  void change_stored(EditedChunks& chunks, std::uint64_t number) {
    if (allocation_ == Allocation::at_flush) {
      PendingChunk& pending = chunks.unfiltered(number);
      put(number, pending.stored.bytes);
      pending.is_held = true;
      return note_written(number, pending.written);
    }
    Buffer chunk = chunks.image(number);
    elements_.copy(number, chunk.span());
    const EncodedChunk encoded{{chunk.begin(), chunk.end()}, 0};
    allocate_encoded(chunks, {&number, 1}, {&encoded, 1});
  }

  /// Adds elements that all ranks gave to the copy of the chunk without this rank's independent
  /// writes.
  void add_to_all(const EditedChunks& chunks, PendingChunk& pending, std::uint64_t number) const {
    if (pending.written.empty()) {
      pending.is_of_all = true;
      pending.of_all = {};
      return;
    }
    Buffer image = chunks.image_of_all(pending, number);
    elements_.copy(number, image.span());
    WaitingChunk all = chunks.waiting(chunks.encode(number, image.span()));
    pending.is_of_all = true;
    note_overwritten(number, pending.written);
    pending.of_all = pending.written.empty() ? WaitingChunk() : std::move(all);
  }

  /// Removes what this write covers from `written`.
  void note_overwritten(std::uint64_t number, IntervalSet& written) const {
    elements_.for_each_range(
        number, [&](std::uint64_t first, std::uint64_t end) { written.remove(first, end); });
  }

  /// Adds what this write covers to `written`.
  void note_written(std::uint64_t number, IntervalSet& written) const {
    elements_.for_each_range(
        number, [&](std::uint64_t first, std::uint64_t end) { written.add(first, end); });
  }

  /// Writes chunks of which no old element is left, encoded on several threads, a limited number at
  /// a time.
  void write_whole(EditedChunks& chunks, const std::vector<std::uint64_t>& numbers) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
    const unsigned threads = file_.options().decode_threads;
    const auto some = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(kMostBytes / elements_.grid().bytes, threads, 4096));
    std::vector<WaitingChunk> waiting;
    for (std::size_t first = 0; first < numbers.size(); first += some) {
      const auto part = std::span(numbers).subspan(first, std::min(some, numbers.size() - first));
      std::vector<EncodedChunk> encoded(part.size());
      run_parallel(threads, part.size(), [&](std::size_t i) {
        encoded[i] = chunks.encode(part[i], elements_.image(part[i]).span());
      });
      if (allocation_ == Allocation::at_once) {
        allocate_encoded(chunks, part, encoded);
      } else if (allocation_ == Allocation::given) {
        PieceWriter writer(file_);
        for (std::size_t i = 0; i < part.size(); ++i)
          writer.add(chunks.table().find(part[i])->address, encoded[i].bytes);
        writer.finish();
      } else {
        for (const EncodedChunk& e : encoded) waiting.push_back(chunks.waiting(e));
      }
    }
    if (!is_of_all_ && !waiting.empty())
      for (const std::uint64_t number : numbers) chunks.set_apart(number);
    // There is room for all of them: now they wait.
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (is_of_all_)
        chunks.keep_of_all(numbers[i], std::move(waiting[i]));
      else
        chunks.keep_own(numbers[i], std::move(waiting[i]));
    }
  }

  Node& dataset_;
  FileState& file_;
  ChunkElements elements_;
  bool is_of_all_;
  Allocation allocation_;
};

}  // namespace

bool write_chunks_in_place(Node& dataset, const BoundSelection& selection,
                           const StoredElements& elements) {
  if (selection.element_count() == 0) return true;
  return ChunkedWrite(dataset, selection, elements, Allocation::at_flush).write_in_place();
}

void write_chunked(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                   Allocation allocation) {
  if (allocation != Allocation::given && write_chunks_in_place(dataset, selection, elements))
    return;
  require_coders(dataset);
  EditedChunks& chunks = edited_chunks(dataset);
  ChunkedWrite(dataset, selection, elements, allocation).write(chunks);
}

void give_way(Node& dataset, const BoundSelection& selection, const StoredElements& elements) {
  EditedChunks* const chunks = known_edited_chunks(dataset);
  if (chunks == nullptr || chunks->pending().empty()) return;
  ChunkedWrite(dataset, selection, elements, Allocation::at_flush_of_all).give_way(*chunks);
}

}  // namespace onecast::chunks
