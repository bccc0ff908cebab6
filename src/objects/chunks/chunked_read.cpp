#include "objects/chunks/chunked_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/per_thread.hpp"
#include "base/worker_pool.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast::chunks {
namespace {

/// One thread's memory for chunks during a transfer, which is used again and again.
class Scratch {
 public:
  std::span<std::byte> room(std::uint64_t size) {
    if (buffer_.size() < size) buffer_ = Buffer(static_cast<std::size_t>(size));
    return buffer_.span().first(static_cast<std::size_t>(size));
  }
  /// Frees a very large buffer, so that one huge chunk does not occupy memory of every thread for
  /// ever.
  void trim() {
    if (buffer_.size() > kMostKept) buffer_ = Buffer();
  }

 private:
  static constexpr std::size_t kMostKept = std::size_t{8} << 20U;
  Buffer buffer_;
};
Scratch& stored_bytes() { return per_thread<Scratch, struct StoredBytes>(); }
Scratch& decoded_bytes() { return per_thread<Scratch, struct DecodedBytes>(); }

/// One read of selected elements: finds the chunks, reads adjacent chunks together, decodes on
/// several threads, and copies the selected elements.
class ChunkedRead {
 public:
  ChunkedRead(Node& dataset, const BoundSelection& selection, const ElementTarget& out)
      : dataset_(dataset),
        info_(dataset.dataset()),
        file_(file_of(dataset)),
        storage_(chunks_of(info_)),
        grid_(storage_.grid()),
        selection_(selection),
        out_(out),
        element_(info_.type.size()) {}

  void run() {
    auto [places, in_memory, wanted] = located();
    // Elements in no chunk have the fill value; the chunks then overwrite their part.
    if (places.size() + in_memory.size() < wanted)
      out_.fill(selection_.element_count(), info_.fill_value, element_);
    for (const std::uint64_t number : in_memory)
      copy(number, known_edited_chunks(dataset_)->image(number).span());
    is_in_store_ = are_in_store(file_, places);
    caches_ = is_cached(file_, grid_, wanted) && (!info_.filters.empty() || caches_stored());
    if (caches_) std::erase_if(places, [&](const ChunkPlace& p) { return copy_cached(p); });
    if (places.empty()) return;
    if (!file_.store().is_for_readers()) check_places(dataset_, places);
    if (places.size() > 1) sort_by_address(places);
    read(places);
  }

  /// Reads only these chunks, by address; `source` has their stored bytes.
  void run(std::span<const ChunkPlace> places,
           const std::function<void(Address, std::span<std::byte>)>& source) {
    if (places.empty()) return;
    source_ = &source;
    read(places);
  }

 private:
  /// Finds the chunks. A file that is written for readers may have grown, and its index may be
  /// changing.
  [[nodiscard]] LocatedChunks located() {
    return file_.store().read_soundly([&] {
      try {
        LocatedChunks found = locate_chunks(dataset_, selection_);
        // Other files cannot change meanwhile: run() checks the chunks that it reads.
        if (file_.store().is_for_readers()) check_places(dataset_, found.places);
        return found;
      } catch (...) {
        if (file_.store().is_for_readers()) storage_.open_again();
        throw;
      }
    });
  }

  /// Chunks that are adjacent in the file: places [first, end).
  struct Batch {
    std::size_t first, end;
    Address address;
    std::uint64_t size;
  };

  [[nodiscard]] std::string where(const ChunkPlace& place) const {
    return fmt::format("{}: chunk at address {:#x}", dataset_.where(), place.address.value);
  }

  [[nodiscard]] bool is_filtered(const ChunkPlace& place) const {
    return chunks::is_filtered(info_, place.number);
  }

  [[nodiscard]] ChunkKey key_of(const ChunkPlace& place) const {
    return is_filtered(place) ? ChunkKey{storage_.id(), place.number}
                              : ChunkKey::stored_at(place.address);
  }

  /// Returns true if unfiltered chunks are cached. They are not if other ranks may write them, if
  /// they are in memory already, or if they are read directly.
  [[nodiscard]] bool caches_stored() const {
    const bool alone =
        file_.access() == Access::read_only ? !file_.name().is_external : file_.comm().size() == 1;
    return alone && !file_.options().follow && !is_kept_in_store() && !is_one_run();
  }

  /// Returns true if the store has the chunks, or keeps them once they are read.
  [[nodiscard]] bool is_kept_in_store() const { return is_in_store_ || are_small(file_, grid_); }

  static void sort_by_address(std::vector<ChunkPlace>& places) {
    const auto before = [](const ChunkPlace& a, const ChunkPlace& b) {
      return a.address < b.address;
    };
    if (!std::is_sorted(places.begin(), places.end(), before))
      std::sort(places.begin(), places.end(), before);
  }

  void read(std::span<const ChunkPlace> places) {
    if (is_one_run()) return read_straight(places);
    std::uint64_t stored = 0;
    for (const ChunkPlace& place : places) stored += place.size;
    const unsigned threads = threads_for(places.size());
    const std::vector<Batch> batches = make_batches(places, stored / threads);
    run_parallel(threads, batches.size(), [&](std::size_t i) {
      const Batch& batch = batches[i];
      if (batch.end - batch.first == 1 && !is_filtered(places[batch.first]))
        read_plain(places[batch.first]);
      else
        read_batch(batch, places);
      stored_bytes().trim();
      decoded_bytes().trim();
    });
  }

  /// Returns true if the selected elements are contiguous in the file's chunks as in memory.
  [[nodiscard]] bool is_one_run() const {
    const std::uint64_t count = selection_.element_count();
    return info_.filters.empty() && out_.is_direct() && grid_.rank == 1 && count != 0 &&
           selection_.is_regular() &&
           selection_.coordinate(0, count - 1) - selection_.coordinate(0, 0) == count - 1;
  }

  /// Reads from the file to the caller's memory. Extents that are adjacent in both are one read.
  void read_straight(std::span<const ChunkPlace> places) {
    // Several threads share larger pieces.
    const std::uint64_t most =
        file_.options().decode_threads == 1 ? ~std::uint64_t{0} : std::uint64_t{1} << 20U;
    struct Piece {
      Address address;
      std::span<std::byte> out;
    };
    std::vector<Piece> pieces;
    const auto add = [&](Address address, std::span<std::byte> out) {
      if (!pieces.empty()) {
        Piece& last = pieces.back();
        if (last.address + last.out.size() == address &&
            last.out.data() + last.out.size() == out.data() &&
            last.out.size() + out.size() <= most) {
          last.out = {last.out.data(), last.out.size() + out.size()};
          return;
        }
      }
      pieces.push_back({address, out});
    };
    for (const ChunkPlace& place : places)
      for_each_run_in_chunk(selection_, grid_, place.number,
                            [&](std::uint64_t at, std::uint64_t number, std::uint64_t count) {
                              add(place.address + at * element_,
                                  out_.bytes().subspan(static_cast<std::size_t>(number) * element_,
                                                       static_cast<std::size_t>(count) * element_));
                            });
    run_parallel(threads_for(places.size()), pieces.size(),
                 [&](std::size_t i) { read_bytes(pieces[i].address, pieces[i].out); });
  }

  [[nodiscard]] unsigned threads_for(std::size_t chunks) const {
    // Smaller reads end before another thread has started.
    constexpr std::uint64_t kAlone = std::uint64_t{256} << 10U;
    if (chunks == 1 || chunks <= kAlone / grid_.bytes) return 1;
    return file_.options().decode_threads;
  }

  [[nodiscard]] std::vector<Batch> make_batches(std::span<const ChunkPlace> places,
                                                std::uint64_t bytes_per_thread) const {
    constexpr std::uint64_t kSmall = std::uint64_t{128} << 10U;  // larger batches gain nothing
    constexpr std::uint64_t kGap = std::uint64_t{4} << 10U;
    const std::uint64_t most =
        std::clamp(bytes_per_thread / 8, kSmall / 2, std::uint64_t{1} << 20U);
    const ReadLimits limits{.gap = kGap, .bytes = most, .chunk = is_in_store_ ? 0 : kSmall};
    std::vector<Batch> batches;
    for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
      end = end_of_neighbours(places, first, limits);
      const Address address = places[first].address;
      batches.push_back({first, end, address, end_of(places[end - 1]) - address.value});
    }
    return batches;
  }

  void read_bytes(Address address, std::span<std::byte> bytes) const {
    if (source_ != nullptr) return (*source_)(address, bytes);
    is_kept_in_store() ? read_raw(file_, address, bytes) : read_file(file_, address, bytes);
  }

  void read_batch(const Batch& batch, std::span<const ChunkPlace> places) {
    const std::span<std::byte> bytes = stored_bytes().room(batch.size);
    read_bytes(batch.address, bytes);
    for (std::size_t i = batch.first; i < batch.end; ++i) {
      const ChunkPlace& p = places[i];
      const auto stored =
          bytes.subspan(static_cast<std::size_t>(p.address.value - batch.address.value),
                        static_cast<std::size_t>(p.size));
      is_filtered(p) ? decode(p, stored) : copy(p, stored);
      if (caches_ && !is_filtered(p) && !is_whole(p)) {
        auto chunk = std::make_shared<Buffer>(stored.size());
        std::memcpy(chunk->data(), stored.data(), stored.size());
        file_.transfers().chunk_cache.add(key_of(p), std::move(chunk));
      }
    }
  }

  void decode(const ChunkPlace& place, ByteView stored) {
    const auto undo = [&](std::span<std::byte> out) {
      decode_chunk(info_.filters, place.filter_mask, stored, out, [&] { return where(place); });
    };
    const auto size = static_cast<std::size_t>(grid_.bytes);
    if (caches_) {
      auto chunk = std::make_shared<Buffer>(size);
      undo(chunk->span());
      copy(place, chunk->span());
      file_.transfers().chunk_cache.add(key_of(place), std::move(chunk));
    } else if (const auto target = target_of(place); !target.empty()) {
      undo(target);
    } else if (size <= kBelieved) {
      const std::span<std::byte> chunk = decoded_bytes().room(size);
      undo(chunk);
      copy(place, chunk);
    } else {
      std::vector<std::byte> chunk(stored.begin(), stored.end());
      decode_chunk(info_.filters, place.filter_mask, chunk, size, [&] { return where(place); });
      copy(place, chunk);
    }
  }
  /// For larger chunks, the decoded size is verified before memory is taken for it.
  static constexpr std::size_t kBelieved = std::size_t{64} << 20U;

  bool copy_cached(const ChunkPlace& place) {
    const auto chunk = file_.transfers().chunk_cache.find(key_of(place));
    if (chunk) copy(place, chunk->span());
    return chunk != nullptr;
  }

  void copy(const ChunkPlace& place, ByteView chunk) { copy(place.number, chunk); }
  void copy(std::uint64_t chunk_number, ByteView chunk) {
    const auto each = [&](std::uint64_t at, std::uint64_t number, std::uint64_t count) {
      give(number, chunk.subspan(at * element_, count * element_));
    };
    for_each_run_in_chunk(selection_, grid_, chunk_number, each);
  }
  void give(std::uint64_t number, ByteView elements) const {
    out_.take(number, elements, element_);
  }

  /// Returns where a chunk that is selected as a whole lies in the output, if it is contiguous
  /// there; else nothing.
  [[nodiscard]] std::span<std::byte> target_of(const ChunkPlace& place) const {
    if (!selection_.is_regular() || !out_.is_direct()) return {};
    const ChunkCoordinates start = first_element(grid_, place.number);
    std::uint64_t number = 0;
    bool rows = false;  // a dimension before has more than one element
    for (unsigned d = 0; d < grid_.rank; ++d) {
      const std::uint64_t first = selection_.first_at_least(d, start[d]);
      const std::uint64_t last = selection_.first_at_least(d, start[d] + grid_.chunk[d]);
      if (last - first != grid_.chunk[d]) return {};
      if (rows && grid_.chunk[d] != selection_.coordinates(d)) return {};
      rows = rows || grid_.chunk[d] > 1;
      number = number * selection_.coordinates(d) + first;
    }
    return out_.bytes().subspan(static_cast<std::size_t>(number) * element_,
                                static_cast<std::size_t>(grid_.bytes));
  }

  /// Returns true if every element of the chunk is selected.
  [[nodiscard]] bool is_whole(const ChunkPlace& place) const {
    std::uint64_t selected = 0;
    for_each_run_in_chunk(selection_, grid_, place.number,
                          [&](std::uint64_t, std::uint64_t, std::uint64_t n) { selected += n; });
    return selected * element_ == grid_.bytes;
  }

  /// Parts with smaller gaps are read together with the gap: reading the gap takes about as long as
  /// a call.
  static constexpr std::uint64_t kNear = std::uint64_t{16} << 10U;

  /// Returns true if reading the selected parts of a chunk would take at least half as long as
  /// reading all of it.
  [[nodiscard]] bool takes_most(const ChunkPlace& place) const {
    std::uint64_t cost = 0, end = 0;
    const auto each = [&](std::uint64_t at, std::uint64_t, std::uint64_t count) {
      const std::uint64_t first = at * element_, size = count * element_;
      cost += (cost == 0 || first < end ? kNear : std::min(first - end, kNear)) + size;
      end = first + size;
    };
    for_each_run_in_chunk(selection_, grid_, place.number, each);
    return cost >= grid_.bytes / 2;
  }

  /// Reads only the selected parts of an unfiltered chunk; parts near each other with one call.
  void read_plain(const ChunkPlace& place) {
    if (const auto target = target_of(place); !target.empty())
      return read_bytes(place.address, target);
    if (caches_ && takes_most(place)) {
      auto chunk = std::make_shared<Buffer>(static_cast<std::size_t>(grid_.bytes));
      read_bytes(place.address, chunk->span());
      copy(place, chunk->span());
      return file_.transfers().chunk_cache.add(key_of(place), std::move(chunk));
    }
    constexpr std::uint64_t kWindow = std::uint64_t{256} << 10U;
    struct Run {
      std::uint64_t at, number, size;  // at, size: bytes
    };
    std::vector<Run> runs;
    std::uint64_t end = 0;
    const auto flush = [&] {
      if (runs.empty()) return;
      const std::uint64_t first = runs.front().at;
      const std::span<std::byte> bytes = stored_bytes().room(end - first);
      read_bytes(place.address + first, bytes);
      for (const Run& r : runs) give(r.number, bytes.subspan(r.at - first, r.size));
      runs.clear();
    };
    const auto each = [&](std::uint64_t at, std::uint64_t number, std::uint64_t count) {
      const Run run{at * element_, number, count * element_};
      if (!runs.empty() &&
          (run.at < end || run.at - end > kNear || run.at + run.size - runs.front().at > kWindow))
        flush();
      runs.push_back(run);
      end = run.at + run.size;
    };
    for_each_run_in_chunk(selection_, grid_, place.number, each);
    flush();
  }

  Node& dataset_;
  const DatasetInfo& info_;
  FileState& file_;
  ChunkStorage& storage_;
  const ChunkGrid& grid_;
  const BoundSelection& selection_;
  const ElementTarget& out_;
  std::size_t element_;
  bool caches_ = false;
  bool is_in_store_ = false;
  const std::function<void(Address, std::span<std::byte>)>* source_ = nullptr;  ///< null: the file
};

}  // namespace

void read_chunked(Node& dataset, const BoundSelection& selection, const ElementTarget& out) {
  require_decoders(dataset);
  ChunkedRead(dataset, selection, out).run();
}

void read_chunks_of(Node& dataset, const BoundSelection& selection, const ElementTarget& out,
                    std::span<const ChunkPlace> places,
                    const std::function<void(Address, std::span<std::byte>)>& source) {
  ChunkedRead(dataset, selection, out).run(places, source);
}

}  // namespace onecast::chunks
