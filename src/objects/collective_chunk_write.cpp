#include "objects/collective_chunk_write.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>

#include "base/worker_pool.hpp"
#include "comm/agreement.hpp"
#include "objects/chunk_access.hpp"
#include "objects/chunk_parts.hpp"
#include "objects/edited_chunks.hpp"
#include "objects/file_state.hpp"
#include "objects/piece_writer.hpp"
#include "objects/placed_writer.hpp"
#include "objects/raw_data.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast {
namespace {

/// Decoded bytes that are encoded at a time, if chunks are not larger themselves.
constexpr std::uint64_t kBatchBytes = std::uint64_t{32} << 20U;
/// What is exchanged lies in memory so many times: packed, received, both on their way, as chunks,
/// filtered, on the way to the file, and what the allocator keeps.
constexpr std::uint64_t kCopies = 8;
/// Encoded bytes that wait for their places, in buffers of a collective transfer: a rank that waits
/// for the chunks before its own has filtered its own meanwhile.
constexpr std::uint64_t kBuffersAhead = 16;

class CollectiveChunkWrite {
 public:
  CollectiveChunkWrite(Node& dataset, const BoundSelection& selection,
                       std::span<const std::byte> bytes)
      : dataset_(dataset),
        file_(*dataset.file),
        comm_(file_.comm()),
        selection_(selection),
        bytes_(bytes),
        window_bytes_(std::max<std::uint64_t>(1, file_.transfers.collective_buffer / kCopies)) {}

  void run() {
    const std::vector<std::byte> mine = agree(comm_, [&] { return begin(); });
    chunks_ = unpack_parts(comm_.all_gather(mine), *grid_);
    next_.emplace(*file_.allocator);
    if (info_->filters.empty())
      write_unfiltered();
    else
      write_filtered();
    adopt();
  }

 private:
  /// Chunks one behind the other, of which the shared ones are exchanged at once.
  struct Window {
    SharedChunks::const_iterator first, last;
    bool has_shared = false;
  };
  struct EncodedSize {
    std::uint64_t size;
    std::uint32_t filter_mask;
  };

  /// By chunk and rank, where the runs begin in what was received.
  using Received = std::map<std::pair<std::uint64_t, int>, std::pair<std::uint64_t, Unpacker>>;

  [[nodiscard]] bool is_me(int rank) const { return rank == comm_.rank(); }

  /// This rank's parts of chunks that get a new place. In others it writes at once.
  std::vector<std::byte> begin() {
    edited_ = &edited_chunks(dataset_);
    info_ = &dataset_.dataset();
    grid_ = &edited_->table().grid();
    element_ = info_->type.size();
    require_writable_storage(dataset_);
    std::vector<std::uint64_t> numbers = chunk_numbers(selection_, *grid_);
    if (info_->filters.empty()) {
      PieceWriter writer(file_);
      std::erase_if(numbers, [&](std::uint64_t number) {
        const ChunkSlot* slot = edited_->table().find(number);
        if (slot != nullptr) write_runs(writer, number, slot->address);
        return slot != nullptr;
      });
      writer.finish();
    }
    return pack_parts(selection_, *grid_, numbers);
  }

  // --- unfiltered: everyone writes its own part -------------------------------------------------
  void write_unfiltered() {
    for (std::size_t i = 0; i < chunks_.size(); ++i)
      slots_.push_back({(*next_)->raw_data(grid_->bytes), grid_->bytes, 0, false});
    const bool together = goes_together(file_);
    bool waits = false;  // for what lies under the parts
    for (const auto& [number, chunk] : chunks_)
      waits = waits || ((together || chunk.is_shared()) && needs_fill(number, chunk));
    if (together && !waits) return write_runs_together();
    agree(comm_, [&] {
      PieceWriter writer(file_);
      std::size_t i = 0;
      for (const auto& [number, chunk] : chunks_) {
        const Address address = slots_[i++].address;
        if (!is_me(chunk.owner(number))) continue;
        if ((together || chunk.is_shared()) && !needs_fill(number, chunk)) continue;
        Buffer image(static_cast<std::size_t>(grid_->bytes));
        fill(image.span(), info_->fill_value);
        if (!chunk.is_shared()) copy_mine(number, image.span());
        writer.add(address, image.span());
      }
      if (!waits) write_shared_runs(writer);
      writer.finish();
    });
    if (together) return write_runs_together();
    if (!waits) return;
    agree(comm_, [&] {
      PieceWriter writer(file_);
      write_shared_runs(writer);
      writer.finish();
    });
  }

  /// This rank's parts of the new chunks, but for those that it filled and wrote for itself.
  void write_runs_together() {
    std::vector<std::pair<Address, std::uint64_t>> mine;  // of chunks, by address
    std::size_t i = 0;
    for (const auto& [number, chunk] : chunks_) {
      const Address address = slots_[i++].address;
      const bool has_part = std::any_of(chunk.parts.begin(), chunk.parts.end(),
                                        [&](const ChunkPart& part) { return is_me(part.rank); });
      if (has_part && (chunk.is_shared() || !needs_fill(number, chunk)))
        mine.emplace_back(address, number);
    }
    std::sort(mine.begin(), mine.end());
    ExtentListBuilder extents;
    for (const auto& [address, number] : mine)
      for_each_run(number, [&, chunk = file_.store->base() + address.value](
                               std::uint64_t at, std::uint64_t first, std::uint64_t count) {
        extents.add(chunk + at * element_, count * element_, first * element_);
      });
    write_extents_together(file_, extents.take(), bytes_);
  }

  [[nodiscard]] bool needs_fill(std::uint64_t number, const SharedChunk& chunk) const {
    return grid_->is_partial(grid_->coordinates(number)) || !chunk.is_covered(*grid_, number);
  }

  void write_shared_runs(PieceWriter& writer) const {
    std::size_t i = 0;
    for (const auto& [number, chunk] : chunks_) {
      const Address address = slots_[i++].address;
      if (!chunk.is_shared()) continue;
      for (const ChunkPart& part : chunk.parts)
        if (is_me(part.rank)) write_runs(writer, number, address);
    }
  }

  void write_runs(PieceWriter& writer, std::uint64_t number, Address chunk) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      writer.add(chunk + at * element_, bytes_.subspan(first * element_, count * element_));
    });
  }

  // --- filtered: each chunk has an owner --------------------------------------------------------
  void write_filtered() {
    for (const Window& window : windows()) write_window(window);
    agree(comm_, [&] {
      if (failure_) std::rethrow_exception(failure_);
    });
  }

  /// As many chunks each that nobody sends or receives more than there is room for, if chunks are
  /// not larger themselves.
  [[nodiscard]] std::vector<Window> windows() const {
    std::vector<Window> found;
    const auto ranks = static_cast<std::size_t>(comm_.size());
    std::vector<std::uint64_t> received(ranks);
    std::vector<std::uint64_t> sent(ranks);
    for (auto at = chunks_.begin(); at != chunks_.end(); ++at) {
      const SharedChunk& chunk = at->second;
      bool fits = !found.empty();
      if (chunk.is_shared()) {
        const int owner = chunk.owner(at->first);
        const auto add = [&](std::vector<std::uint64_t>& to, int rank, std::uint64_t elements) {
          std::uint64_t& bytes = to[static_cast<std::size_t>(rank)];
          fits = fits && (bytes == 0 || bytes + elements * element_ <= window_bytes_);
          bytes += elements * element_;
        };
        const auto count = [&] {
          std::uint64_t of_others = 0;
          for (const ChunkPart& part : chunk.parts) {
            if (part.rank == owner) continue;
            of_others += part.elements;
            add(sent, part.rank, part.elements);
          }
          add(received, owner, of_others);
        };
        count();
        if (!fits) {
          std::ranges::fill(received, 0);
          std::ranges::fill(sent, 0);
          count();
        }
      }
      if (!fits) found.push_back({at, at, false});
      found.back().last = std::next(at);
      found.back().has_shared = found.back().has_shared || chunk.is_shared();
    }
    return found;
  }

  /// A chunk is placed when the sizes of all before it are known. Ranks whose chunks come later
  /// encode them meanwhile, as far as memory goes: one rank's often lie one behind the other.
  /// What fails here is told with the sizes: nobody waits for it.
  void write_window(const Window& window) {
    std::vector<std::vector<std::byte>> received;
    if (window.has_shared) received = comm_.exchange(parts_for_others(window));
    const Received parts = sort_received(received);
    std::deque<std::uint64_t> mine;  // still to be encoded
    for (auto at = window.first; at != window.last; ++at)
      if (is_me(at->second.owner(at->first))) mine.push_back(at->first);
    std::deque<EncodedChunk> ahead;  // still to be placed
    std::vector<std::deque<EncodedSize>> known(static_cast<std::size_t>(comm_.size()));
    for (auto at = window.first; at != window.last;) {
      const std::size_t told = ahead.size();
      try_to([&] { encode_ahead(mine, parts, ahead); });
      tell_sizes(ahead, told, known);
      PlacedWriter writer(file_);
      for (; at != window.last; ++at) {
        const int owner = at->second.owner(at->first);
        auto& sizes = known[static_cast<std::size_t>(owner)];
        if (sizes.empty()) break;
        const auto [size, mask] = sizes.front();
        sizes.pop_front();
        slots_.push_back({(*next_)->packed_raw_data(size), size, mask, false});
        if (!is_me(owner)) continue;
        try_to([&] { writer.add(slots_.back().address, std::move(ahead.front().bytes)); });
        ahead.pop_front();
      }
      writer.finish(failure_);
    }
  }

  /// Those that were encoded since; on all ranks. Throws the same Error on all if one has failed.
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

  template <class F>
  void try_to(F&& work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// Of chunks with another owner: number, runs (first element and how many), their elements.
  std::vector<std::vector<std::byte>> parts_for_others(const Window& window) {
    std::vector<Packer> to(static_cast<std::size_t>(comm_.size()));
    try_to([&] {
      for (auto at = window.first; at != window.last; ++at) {
        const auto& [number, chunk] = *at;
        const int owner = chunk.owner(number);
        const bool have = std::any_of(chunk.parts.begin(), chunk.parts.end(),
                                      [&](const ChunkPart& part) { return is_me(part.rank); });
        if (have && !is_me(owner)) pack_part(number, to[static_cast<std::size_t>(owner)]);
      }
    });
    std::vector<std::vector<std::byte>> bytes;
    bytes.reserve(to.size());
    for (Packer& p : to) bytes.push_back(failure_ ? std::vector<std::byte>() : std::move(p.out));
    return bytes;
  }

  void pack_part(std::uint64_t number, Packer& p) const {
    std::uint64_t runs = 0;
    for_each_run(number, [&](std::uint64_t, std::uint64_t, std::uint64_t) { ++runs; });
    p.number(number);
    p.number(runs);
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      p.number(at);
      p.block(bytes_.subspan(first * element_, count * element_));
    });
  }

  static Received sort_received(const std::vector<std::vector<std::byte>>& received) {
    Received found;
    for (std::size_t r = 0; r < received.size(); ++r)
      for (Unpacker u(received[r]); !u.at_end();) {
        const std::uint64_t number = u.number();
        const std::uint64_t runs = u.number();
        found.emplace(std::pair{number, static_cast<int>(r)}, std::pair{runs, u});
        for (std::uint64_t i = 0; i < runs; ++i) {
          u.number();
          u.block();
        }
      }
    return found;
  }

  /// Takes chunks of `mine`: at least one, if nothing is ahead.
  void encode_ahead(std::deque<std::uint64_t>& mine, const Received& parts,
                    std::deque<EncodedChunk>& ahead) const {
    std::uint64_t bytes = 0;
    for (const EncodedChunk& c : ahead) bytes += c.bytes.size();
    const std::uint64_t ahead_bytes = kBuffersAhead * file_.transfers.collective_buffer;
    while (!mine.empty() && bytes < ahead_bytes) {
      const auto most =
          std::max<std::uint64_t>(1, std::min(kBatchBytes, ahead_bytes) / grid_->bytes);
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(most, mine.size()));
      std::vector<EncodedChunk> encoded(count);
      run_parallel(file_.options.decode_threads, count,
                   [&](std::size_t i) { encoded[i] = encode(mine[i], parts); });
      mine.erase(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(count));
      for (EncodedChunk& c : encoded) {
        bytes += c.bytes.size();
        ahead.push_back(std::move(c));
      }
    }
  }

  [[nodiscard]] EncodedChunk encode(std::uint64_t number, const Received& parts) const {
    const SharedChunk& chunk = chunks_.find(number)->second;
    if (const auto whole = whole_chunk(number, chunk)) return edited_->encode(number, *whole);
    Buffer image = base_of(number, chunk);
    for (const ChunkPart& part : chunk.parts) {
      if (is_me(part.rank)) {
        copy_mine(number, image.span());
      } else if (const auto found = parts.find({number, part.rank}); found != parts.end()) {
        copy_received(found->second, image.span());
      }  // else that rank has failed, and says so
    }
    return edited_->encode(number, image.span());
  }

  /// The chunk, if it lies in the caller's memory as it is.
  [[nodiscard]] std::optional<std::span<const std::byte>> whole_chunk(
      std::uint64_t number, const SharedChunk& chunk) const {
    if (chunk.is_shared()) return std::nullopt;
    std::optional<std::span<const std::byte>> whole;
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      if (at == 0 && count * element_ == grid_->bytes)
        whole = bytes_.subspan(first * element_, count * element_);
    });
    return whole;
  }

  /// What the parts are laid over.
  [[nodiscard]] Buffer base_of(std::uint64_t number, const SharedChunk& chunk) const {
    if (!chunk.is_covered(*grid_, number)) return edited_->image(number);
    Buffer image(static_cast<std::size_t>(grid_->bytes));
    if (grid_->is_partial(grid_->coordinates(number))) fill(image.span(), info_->fill_value);
    return image;
  }

  void copy_received(std::pair<std::uint64_t, Unpacker> part, std::span<std::byte> image) const {
    auto& [runs, u] = part;
    for (std::uint64_t i = 0; i < runs; ++i) {
      const std::uint64_t at = u.number();
      const auto elements = u.block();
      std::memcpy(image.data() + at * element_, elements.data(), elements.size());
    }
  }

  // --- both -------------------------------------------------------------------------------------
  template <class F>
  void for_each_run(std::uint64_t number, F&& each) const {
    for_each_run_in_chunk(selection_, *grid_, number, each);
  }

  void copy_mine(std::uint64_t number, std::span<std::byte> image) const {
    for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
      std::memcpy(image.data() + at * element_, bytes_.data() + first * element_, count * element_);
    });
  }

  void adopt() {
    next_->adopt();
    if (chunks_.empty()) return;
    dataset_.edit();
    std::size_t i = 0;
    for (const auto& [number, chunk] : chunks_) {
      const ChunkSlot& slot = slots_[i++];
      edited_->set(number, slot);
      file_.file_end = std::max(file_.file_end, slot.address.value + slot.size);
    }
  }

  Node& dataset_;
  FileState& file_;
  CommunicatorBackend& comm_;
  const BoundSelection& selection_;
  std::span<const std::byte> bytes_;
  std::uint64_t window_bytes_;  ///< that a rank sends or receives at a time
  EditedChunks* edited_ = nullptr;
  const DatasetInfo* info_ = nullptr;
  const ChunkGrid* grid_ = nullptr;
  std::size_t element_ = 0;
  SharedChunks chunks_;
  std::vector<ChunkSlot> slots_;  ///< new places, in the order of chunks_
  std::optional<DraftAllocator> next_;
  std::exception_ptr failure_;
};

}  // namespace

void write_chunks_together(Node& dataset, const BoundSelection& selection,
                           std::span<const std::byte> bytes) {
  CollectiveChunkWrite(dataset, selection, bytes).run();
}

}  // namespace onecast
