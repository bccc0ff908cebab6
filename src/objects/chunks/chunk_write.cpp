#include "objects/chunks/chunk_write.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/worker_pool.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/chunks/place_chunks.hpp"
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
               Placing placing)
      : dataset_(dataset),
        info_(dataset.dataset()),
        file_(file_of(dataset)),
        grid_(chunks_of(info_).grid()),
        selection_(selection),
        elements_(elements),
        element_(info_.type.size()),
        is_of_all_(placing == Placing::at_flush_of_all),
        placing_(is_of_all_ ? Placing::at_flush : placing) {}

  /// Writes without changing the index, if that is possible; works with any form of index.
  bool write_in_place() {
    if (!info_.filters.empty()) return false;
    std::vector<ChunkPlace> places;
    std::vector<std::uint64_t> in_memory;
    const EditedChunks* edited = known_edited_chunks(dataset_);
    const std::uint64_t wanted = edited != nullptr ? edited->locate(selection_, places, in_memory)
                                                   : chunks_of(info_).locate(selection_, places);
    if (wanted != places.size()) return false;
    for (const ChunkPlace& place : places) check_place(dataset_, info_, place);
    PieceWriter writer(file_);
    for (const ChunkPlace& place : places) write_runs(writer, place.number, place.address);
    writer.finish();
    return true;
  }

  /// Removes from pending chunks the elements that this rank wrote independently and that all ranks
  /// now write.
  void give_way(EditedChunks& chunks) {
    for (const std::uint64_t number : chunk_numbers(selection_, grid_)) {
      if (!chunks.pending().contains(number)) continue;
      PendingChunk& pending =
          info_.filters.empty() ? chunks.unfiltered(number) : chunks.decoded(number);
      if (info_.filters.empty())
        put_runs(number, pending.stored);
      else
        copy_runs(number, pending.decoded.span());
      note_overwritten(number, pending.written);
      if (pending.written.empty()) chunks.forget_pending(number);
    }
    chunks.make_room(false);
  }

  void write(EditedChunks& chunks) {
    std::vector<std::uint64_t> whole;
    std::vector<std::uint64_t> parts;
    std::vector<std::uint64_t> fresh;
    std::vector<std::pair<std::uint64_t, Address>> in_place;
    for (const std::uint64_t number : chunk_numbers(selection_, grid_)) {
      const auto slot = chunks.table().find(number);
      if (!slot && info_.filters.empty() && placing_ == Placing::at_once)
        fresh.push_back(number);
      else if (info_.filters.empty() && slot.has_value() &&
               chunks.table().valid_extent(number) == nullptr &&
               !chunks.pending().contains(number) && placing_ != Placing::given)
        in_place.emplace_back(number, slot->address);
      else if (is_whole(number) && (placing_ != Placing::at_flush || !info_.filters.empty()))
        whole.push_back(number);
      else
        parts.push_back(number);
    }
    // Steps that may find no room come first.
    if (placing_ == Placing::at_flush) {
      if (info_.filters.empty()) make_room(chunks, parts);
      write_whole(chunks, std::exchange(whole, {}));
    }
    PieceWriter writer(file_);
    for (const auto& [number, address] : in_place) write_runs(writer, number, address);
    writer.finish();
    write_fresh(chunks, fresh);
    for (const std::uint64_t number : parts) change(chunks, number);
    write_whole(chunks, whole);
  }

 private:
  template <class F>
  void for_each_run(std::uint64_t number, F&& each) const {
    for_each_run_in_chunk(selection_, grid_, number, each);
  }

  [[nodiscard]] bool is_whole(std::uint64_t number) const {
    std::uint64_t selected = 0;
    for_each_run(number, [&](std::uint64_t, std::uint64_t, std::uint64_t n) { selected += n; });
    return selected == elements_inside(grid_, number);
  }

  void write_runs(PieceWriter& writer, std::uint64_t number, Address chunk) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      elements_.for_each_part(first, count, element_,
                              [&](std::uint64_t from, std::span<const std::byte> part) {
                                writer.add(chunk + (at + from - first) * element_, part);
                              });
    });
  }

  /// Writes new unfiltered chunks from the caller's memory to their places. The rest of a chunk
  /// written in part costs nothing if the file has zeros there and the fill value is zero.
  void write_fresh(EditedChunks& chunks, const std::vector<std::uint64_t>& numbers) {
    if (numbers.empty()) return;
    dataset_.edit();
    std::vector<ChunkSlot> slots;
    slots.reserve(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      slots.push_back({file_.allocator().raw_data(grid_.bytes), grid_.bytes, 0, false});
    try {
      PieceWriter writer(file_);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!is_covered(numbers[i]) && !reads_as_fill(dataset_, slots[i].address, grid_.bytes))
          write_fill(file_, slots[i].address, grid_.bytes, info_.fill_value);
        write_runs(writer, numbers[i], slots[i].address);
      }
      writer.finish();
    } catch (...) {
      for (const ChunkSlot& slot : slots) file_.allocator().free_raw_data(slot.address, slot.size);
      throw;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) chunks.set(numbers[i], slots[i]);
  }

  /// Returns true if the write covers every element, also those beyond the edge of the dataset.
  [[nodiscard]] bool is_covered(std::uint64_t number) const {
    return is_whole(number) && !grid_.is_partial(grid_.coordinates(number));
  }

  void copy_runs(std::uint64_t number, std::span<std::byte> chunk) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      elements_.copy(first, chunk.subspan(at * element_, count * element_), element_);
    });
  }

  void put_runs(std::uint64_t number, WaitingBytes& chunk) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      elements_.for_each_part(first, count, element_,
                              [&](std::uint64_t from, std::span<const std::byte> part) {
                                chunk.write((at + from - first) * element_, part);
                              });
    });
  }

  /// Makes unfiltered chunks pending, to wait for the flush. Everything that can fail comes before
  /// any of them changes.
  void make_room(EditedChunks& chunks, const std::vector<std::uint64_t>& numbers) const {
    std::vector<std::uint64_t> fresh;
    try {
      for (const std::uint64_t number : numbers) {
        if (!chunks.pending().contains(number)) fresh.push_back(number);
        WaitingBytes& bytes = chunks.unfiltered(number).stored;
        for_each_run(number, [&](std::uint64_t at, std::uint64_t, std::uint64_t count) {
          bytes.reserve(at * element_, count * element_);
        });
      }
    } catch (...) {
      for (const std::uint64_t number : fresh) chunks.forget_pending(number);
      throw;
    }
  }

  /// Changes a chunk that is written in part, or that is unfiltered and waits for the flush.
  void change(EditedChunks& chunks, std::uint64_t number) {
    if (!info_.filters.empty()) {
      PendingChunk& pending = chunks.decoded(number);
      // This chunk stays decoded, because it was used last.
      chunks.make_room(placing_ == Placing::at_once);
      if (is_of_all_)
        add_to_all(chunks, pending, number);
      else if (placing_ == Placing::at_flush)
        chunks.set_apart(number);
      copy_runs(number, pending.decoded.span());
      pending.is_held = pending.is_held || placing_ == Placing::at_flush;
      if (placing_ == Placing::at_flush && !is_of_all_) note_written(number, pending.written);
      return;
    }
    if (placing_ == Placing::at_flush) {
      PendingChunk& pending = chunks.unfiltered(number);
      put_runs(number, pending.stored);
      pending.is_held = true;
      return note_written(number, pending.written);
    }
    Buffer chunk = chunks.image(number);
    copy_runs(number, chunk.span());
    const EncodedChunk encoded{{chunk.begin(), chunk.end()}, 0};
    chunks.place({&number, 1}, {&encoded, 1});
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
    copy_runs(number, image.span());
    EditedChunks::Waiting all = chunks.waiting(chunks.encode(number, image.span()));
    pending.is_of_all = true;
    note_overwritten(number, pending.written);
    pending.of_all = pending.written.empty() ? WaitingBytes() : std::move(all.bytes);
    pending.of_all_mask = all.filter_mask;
  }

  /// Removes what this write covers from `written`.
  void note_overwritten(std::uint64_t number, std::vector<Interval>& written) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t, std::uint64_t count) {
      const Interval gone{at * element_, (at + count) * element_};
      std::vector<Interval> left;
      for (const Interval& i : written) {
        if (i.first < gone.first) left.push_back({i.first, std::min(i.end, gone.first)});
        if (i.end > gone.end) left.push_back({std::max(i.first, gone.end), i.end});
      }
      written = std::move(left);
    });
  }

  /// Adds what this write covers to `written`.
  void note_written(std::uint64_t number, std::vector<Interval>& written) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t, std::uint64_t count) {
      written.push_back({at * element_, (at + count) * element_});
    });
    std::sort(written.begin(), written.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < written.size(); ++i) {
      if (written[i].first <= written[last].end)
        written[last].end = std::max(written[last].end, written[i].end);
      else
        written[++last] = written[i];
    }
    written.resize(last + 1);
  }

  /// Writes chunks of which no old element is left, encoded on several threads, a limited number at
  /// a time.
  void write_whole(EditedChunks& chunks, const std::vector<std::uint64_t>& numbers) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
    const auto some = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(kMostBytes / grid_.bytes, file_.options().decode_threads, 4096));
    std::vector<EditedChunks::Waiting> waiting;
    for (std::size_t first = 0; first < numbers.size(); first += some) {
      const auto part = std::span(numbers).subspan(first, std::min(some, numbers.size() - first));
      std::vector<EncodedChunk> encoded(part.size());
      run_parallel(file_.options().decode_threads, part.size(), [&](std::size_t i) {
        Buffer chunk(static_cast<std::size_t>(grid_.bytes));
        if (grid_.is_partial(grid_.coordinates(part[i]))) fill(chunk.span(), info_.fill_value);
        copy_runs(part[i], chunk.span());
        encoded[i] = chunks.encode(part[i], chunk.span());
      });
      if (placing_ == Placing::at_once) {
        chunks.place(part, encoded);
      } else if (placing_ == Placing::given) {
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
  const DatasetInfo& info_;
  FileState& file_;
  const ChunkGrid& grid_;
  const BoundSelection& selection_;
  const StoredElements& elements_;
  std::size_t element_;
  bool is_of_all_;
  Placing placing_;
};

}  // namespace

bool write_chunks_in_place(Node& dataset, const BoundSelection& selection,
                           const StoredElements& elements) {
  if (selection.element_count() == 0) return true;
  return ChunkedWrite(dataset, selection, elements, Placing::at_flush).write_in_place();
}

void write_chunked(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                   Placing placing) {
  if (placing != Placing::given && write_chunks_in_place(dataset, selection, elements)) return;
  require_coders(dataset);
  EditedChunks& chunks = edited_chunks(dataset);
  ChunkedWrite(dataset, selection, elements, placing).write(chunks);
}

void give_way(Node& dataset, const BoundSelection& selection, const StoredElements& elements) {
  EditedChunks* const chunks = known_edited_chunks(dataset);
  if (chunks == nullptr || chunks->pending().empty()) return;
  ChunkedWrite(dataset, selection, elements, Placing::at_flush_of_all).give_way(*chunks);
}

void place_all_chunks(Node& dataset) {
  EditedChunks& chunks = edited_chunks(dataset);
  const ChunkGrid& grid = chunks.table().grid();
  for (std::uint64_t number = 0; number < grid.total; ++number)
    chunks.set(number, {file_of(dataset).allocator().raw_data(grid.bytes), grid.bytes, 0, false});
}

}  // namespace onecast::chunks
