#include "objects/together/collective_chunk_write.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "base/worker_pool.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/any_layout/chunk_writer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/elements/piece_writer.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/together/chunk_exchange.hpp"
#include "objects/together/chunk_targets.hpp"

namespace onecast::together {
namespace {

/// The decoded bytes that are encoded at a time, unless a chunk is larger.
constexpr std::uint64_t kBatchBytes = std::uint64_t{32} << 20U;
/// The number of copies of the exchanged bytes in memory: packed, received, both during the
/// exchange, as chunks, filtered, on the way to the file, and what the allocator keeps.
constexpr std::uint64_t kCopies = 8;
/// The limit on encoded bytes that wait for their places, in units of the collective buffer. A rank
/// that waits for the chunks before its own filters its own meanwhile.
constexpr std::uint64_t kBuffersAhead = 16;

/// Writes datasets that are all filtered, or all unfiltered, each of them once.
class CollectiveChunkWrite {
  using Target = ChunkTarget;
  using Item = WrittenChunk;

 public:
  explicit CollectiveChunkWrite(FileState& file)
      : file_(file),
        comm_(file_.comm()),
        window_bytes_(
            std::max<std::uint64_t>(1, file_.transfers().options.collective_buffer / kCopies)) {}

  void run(std::span<const ChunkWriteRequest> requests) {
    const std::vector<std::byte> mine = agree(comm_, [&] { return begin(requests); });
    list_items(comm_.all_gather(mine));
    NewChunks places(file_);
    targets_.front().are_filtered() ? write_filtered(places) : write_unfiltered(places);
    places.enter_written();
  }

 private:
  struct EncodedSize {
    std::uint64_t size;
    std::uint32_t filter_mask;
  };

  [[nodiscard]] bool is_me(int rank) const { return rank == comm_.rank(); }
  [[nodiscard]] bool is_mine(const Item& item) const { return is_me(item.owner); }
  [[nodiscard]] bool has_part(const Item& item) const { return item.chunk.has_part(comm_.rank()); }

  /// Returns this rank's parts of chunks that get a new place: for each dataset its index in the
  /// list and its packed parts. Writes parts of other chunks at once.
  std::vector<std::byte> begin(std::span<const ChunkWriteRequest> requests) {
    Packer p;
    PieceWriter writer(file_);
    targets_.reserve(requests.size());
    for (const auto& [dataset, selection, elements] : requests) {
      EditedChunks& edited = edited_chunks(*dataset);
      const Target& target =
          targets_.emplace_back(Target{{*dataset, *selection, elements}, &edited});
      require_writable_storage(*dataset);
      std::vector<std::uint64_t> numbers = target.numbers();
      if (!target.are_filtered())
        std::erase_if(numbers, [&](std::uint64_t number) {
          const auto slot = edited.table().find(number);
          if (slot) target.write(number, writer, slot->address);
          return slot.has_value();
        });
      if (numbers.empty()) continue;
      p.number(targets_.size() - 1);
      p.block(pack_parts(*selection, target.grid(), numbers));
    }
    writer.finish();
    return std::move(p.out);
  }

  /// Lists the chunks in the order of the datasets in the list, then of the chunks.
  void list_items(const std::vector<std::vector<std::byte>>& gathered) {
    std::map<std::uint64_t, SharedChunks> chunks;  // by dataset
    for (std::size_t rank = 0; rank < gathered.size(); ++rank)
      for (Unpacker u(gathered[rank]); !u.at_end();) {
        const std::uint64_t number = u.number();
        unpack_parts(u.block(), static_cast<int>(rank),
                     targets_[static_cast<std::size_t>(number)].grid(), chunks[number]);
      }
    for (auto& [dataset, of_dataset] : chunks)
      for (auto& [number, chunk] : of_dataset) {
        const int owner = chunk.owner(dataset + number);
        items_.push_back(
            {&targets_[static_cast<std::size_t>(dataset)], number, std::move(chunk), owner});
      }
  }

  // --- unfiltered: everyone writes its own part -------------------------------------------------
  void write_unfiltered(NewChunks& places) {
    for (const Item& item : items_)
      places.add(*item.target->edited, item.number, item.target->grid().bytes);
    const bool together = goes_together(file_);
    const auto goes_apart = [&](const Item& item) { return !together && !item.chunk.is_shared(); };
    // Parts of such chunks are written when their owners have filled these.
    const bool waits = std::ranges::any_of(
        items_, [&](const Item& item) { return !goes_apart(item) && item.needs_fill(); });
    if (!together || waits)
      agree(comm_, [&] {
        PieceWriter writer(file_);
        for (std::size_t i = 0; i < items_.size(); ++i)
          if (is_mine(items_[i]) && (goes_apart(items_[i]) || items_[i].needs_fill()))
            writer.add(places[i].address, filled(items_[i]).span());
        if (!waits) write_shared(places, writer);
        writer.finish();
      });
    if (together)
      write_runs_together(places);
    else if (waits)
      agree(comm_, [&] {
        PieceWriter writer(file_);
        write_shared(places, writer);
        writer.finish();
      });
  }

  /// Returns the image of a new chunk with the fill value, and with this rank's elements if no
  /// other rank has any.
  static Buffer filled(const Item& item) {
    Buffer image(static_cast<std::size_t>(item.target->grid().bytes));
    fill(image.span(), item.target->fill_value());
    if (!item.chunk.is_shared()) item.target->copy(item.number, image.span());
    return image;
  }

  /// Writes this rank's parts of chunks that other ranks write, too.
  void write_shared(const NewChunks& places, PieceWriter& writer) const {
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].chunk.is_shared() && has_part(items_[i]))
        items_[i].target->write(items_[i].number, writer, places[i].address);
  }

  /// Writes this rank's parts of the new chunks, except chunks that it has filled and written
  /// alone.
  void write_runs_together(const NewChunks& places) {
    OutBuffers buffers;
    std::unordered_map<const Target*, std::uint64_t> positions;
    std::deque<Buffer> own;  // packed elements that were not in memory
    for (const Target& target : targets_) {
      std::span<const std::byte> bytes = target.elements().bytes();
      if (!target.elements().are_there())
        try_to([&] {
          const std::uint64_t count = target.selection().element_count();
          own.emplace_back(static_cast<std::size_t>(count) * target.element_size());
          target.elements().copy(0, own.back().span(), target.element_size());
          bytes = own.back().span();
        });
      positions[&target] = buffers.add(bytes);
    }
    if (failure_) return write_extents_together(file_, {}, {}, failure_);
    std::vector<std::pair<Address, const Item*>> mine;  // by address
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (has_part(items_[i]) && (items_[i].chunk.is_shared() || !items_[i].needs_fill()))
        mine.emplace_back(places[i].address, &items_[i]);
    std::sort(mine.begin(), mine.end());
    ExtentListBuilder extents;
    for (const auto& [address, item] : mine)
      item->target->for_each_run(
          item->number,
          [&, chunk = file_.store().base() + address.value, element = item->target->element_size(),
           position = positions[item->target]](std::uint64_t at, std::uint64_t first,
                                               std::uint64_t count) {
            extents.add(chunk + at * element, count * element, position + first * element);
          });
    write_extents_together(file_, extents.take(), buffers);
  }

  // --- filtered: each chunk has an owner --------------------------------------------------------
  void write_filtered(NewChunks& places) {
    for (const ExchangeWindow& window : exchange_windows(items_, comm_.size(), window_bytes_))
      write_window(window, places);
    agree(comm_, [&] {
      if (failure_) std::rethrow_exception(failure_);
    });
  }

  /// A chunk is allocated when the sizes of all chunks before it are known. Ranks whose chunks come
  /// later encode them meanwhile, as far as memory allows, since the chunks of one rank are often
  /// consecutive. An error is sent with the sizes, because no rank waits for it.
  void write_window(const ExchangeWindow& window, NewChunks& places) {
    std::vector<std::vector<std::byte>> received;
    if (window.has_shared) received = comm_.exchange(parts_for_others(window));
    const ReceivedParts parts(received);
    std::deque<std::size_t> mine;  // still to be encoded
    for (std::size_t i = window.first; i < window.last; ++i)
      if (is_mine(items_[i])) mine.push_back(i);
    std::deque<EncodedChunk> ahead;  // not allocated yet
    std::vector<std::deque<EncodedSize>> known(static_cast<std::size_t>(comm_.size()));
    for (std::size_t at = window.first; at < window.last;) {
      const std::size_t told = ahead.size();
      try_to([&] { encode_ahead(mine, parts, ahead); });
      tell_sizes(ahead, told, known);
      ChunkWriter writer(file_);
      for (; at < window.last; ++at) {
        auto& sizes = known[static_cast<std::size_t>(items_[at].owner)];
        if (sizes.empty()) break;
        const auto [size, mask] = sizes.front();
        sizes.pop_front();
        const ChunkSlot& slot =
            places.add(*items_[at].target->edited, items_[at].number, size, mask);
        if (!is_mine(items_[at])) continue;
        try_to([&] { writer.add(slot.address, std::move(ahead.front().bytes)); });
        ahead.pop_front();
      }
      writer.finish(failure_);
    }
  }

  /// Sends the sizes of the chunks encoded since the last call to all ranks. Throws the same Error
  /// on all ranks if one has failed.
  void tell_sizes(const std::deque<EncodedChunk>& ahead, std::size_t told,
                  std::vector<std::deque<EncodedSize>>& known) {
    Packer p;
    p.number(failure_ ? 1 : 0);
    for (std::size_t i = told; i < ahead.size(); ++i) {
      p.number(ahead[i].bytes.size());
      p.number(ahead[i].filter_mask);
    }
    const auto gathered = comm_.all_gather(p.out);
    bool failed = false;
    for (std::size_t rank = 0; rank < gathered.size(); ++rank) {
      Unpacker u(gathered[rank]);
      failed = (u.number() != 0) || failed;
      while (!u.at_end()) {
        const std::uint64_t size = u.number();
        known[rank].push_back({size, static_cast<std::uint32_t>(u.number())});
      }
    }
    if (failed)
      agree(comm_, [&] {
        if (failure_) std::rethrow_exception(failure_);
      });
  }

  /// Returns this rank's parts of chunks with another owner; nothing if this rank has failed.
  std::vector<std::vector<std::byte>> parts_for_others(const ExchangeWindow& window) {
    std::vector<std::vector<std::byte>> packed(static_cast<std::size_t>(comm_.size()));
    try_to([&] { packed = pack_parts_for_others(items_, window, comm_); });
    return packed;
  }

  template <class F>
  void try_to(F&& work) {
    comm::try_to(failure_, std::forward<F>(work));
  }

  /// Encodes items of `mine`: at least one if `ahead` is empty.
  void encode_ahead(std::deque<std::size_t>& mine, const ReceivedParts& parts,
                    std::deque<EncodedChunk>& ahead) const {
    std::uint64_t bytes = 0;
    for (const EncodedChunk& c : ahead) bytes += c.bytes.size();
    const std::uint64_t ahead_bytes = kBuffersAhead * file_.transfers().options.collective_buffer;
    while (!mine.empty() && bytes < ahead_bytes) {
      const std::uint64_t most = std::min(kBatchBytes, ahead_bytes);
      std::uint64_t decoded = 0;
      std::size_t count = 0;
      for (; count < mine.size() && (count == 0 || decoded < most); ++count)
        decoded += items_[mine[count]].target->grid().bytes;
      std::vector<EncodedChunk> encoded(count);
      run_parallel(file_.options().decode_threads, count,
                   [&](std::size_t i) { encoded[i] = encode(mine[i], parts); });
      mine.erase(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(count));
      for (EncodedChunk& c : encoded) {
        bytes += c.bytes.size();
        ahead.push_back(std::move(c));
      }
    }
  }

  [[nodiscard]] EncodedChunk encode(std::size_t i, const ReceivedParts& parts) const {
    const Item& item = items_[i];
    const Target& target = *item.target;
    if (!item.chunk.is_shared())
      if (const auto whole = target.in_memory(item.number))
        return target.edited->encode(item.number, *whole);
    Buffer image = base_of(item);
    for (const ChunkPart& part : item.chunk.parts)
      if (is_me(part.rank))
        target.copy(item.number, image.span());
      else
        parts.copy(i, part.rank, target.element_size(), image.span());
    return target.edited->encode(item.number, image.span());
  }

  /// Returns the image over which the parts are laid.
  [[nodiscard]] static Buffer base_of(const Item& item) {
    const Target& target = *item.target;
    if (!item.is_covered()) return target.edited->image(item.number);
    Buffer image(static_cast<std::size_t>(target.grid().bytes));
    if (target.is_partial(item.number)) fill(image.span(), target.fill_value());
    return image;
  }

  FileState& file_;
  CommunicatorBackend& comm_;
  std::uint64_t window_bytes_;  ///< the bytes that a rank sends or receives at a time
  std::vector<Target> targets_;
  std::vector<Item> items_;  ///< equal on all ranks
  std::exception_ptr failure_;
};

/// Divides the list: the n-th part has the n-th occurrence of each dataset.
std::vector<std::vector<ChunkWriteRequest>> rounds_of(std::span<const ChunkWriteRequest> requests) {
  std::vector<std::vector<ChunkWriteRequest>> rounds;
  std::unordered_map<const Node*, std::size_t> times;
  for (const ChunkWriteRequest& request : requests) {
    const std::size_t round = times[request.dataset]++;
    if (round == rounds.size()) rounds.emplace_back();
    rounds[round].push_back(request);
  }
  return rounds;
}

}  // namespace

void write_chunks_together(FileState& file, std::span<const ChunkWriteRequest> requests) {
  for (const auto& round : rounds_of(requests)) {
    std::vector<ChunkWriteRequest> plain;
    std::vector<ChunkWriteRequest> filtered;
    for (const ChunkWriteRequest& r : round)
      (r.dataset->dataset().filters.empty() ? plain : filtered).push_back(r);
    for (const auto* part : {&plain, &filtered})
      if (!part->empty()) CollectiveChunkWrite(file).run(*part);
  }
}

}  // namespace onecast::together
