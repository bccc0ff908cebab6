#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/buffer.hpp"
#include "base/round_up.hpp"
#include "device/staging.hpp"
#include "objects/elements/packing.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "objects/handles/seen_chunks.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

using namespace handles;

namespace {

/// Addresses are multiples of 8: chunks that are adjacent in the file have no larger gaps.
constexpr std::uint64_t kGap = 63;

/// Does what memory.resize(size) does, which might take twice as much memory.
void resize_tightly(std::vector<std::byte>& memory, std::size_t size) {
  if (memory.capacity() < size) memory.reserve(size + size / 8);
  memory.resize(size);
}

/// Reads to memory of the process or of a device, through a buffer.
class ChunkTarget {
 public:
  /// `most`: the bytes of the largest part
  ChunkTarget(FileState& file, std::span<std::byte> out, std::size_t most)
      : file_(file), out_(out), place_(device::place_of(out.data())) {
    if (place_)
      staging_.emplace(*place_, most);
    else
      room_ = Buffer(most);
  }

  /// Reads a part of the file, of which put() then takes bytes.
  std::span<const std::byte> read(Address address, std::size_t size) {
    const auto room = (staging_ ? staging_->buffer(parts_) : room_.span()).first(size);
    read_file(file_, address, room);
    return room;
  }
  void put(std::size_t at, std::span<const std::byte> bytes) {
    if (staging_)
      staging_->copies().to_device(&out_[at], bytes.data(), bytes.size());
    else
      std::ranges::copy(bytes, &out_[at]);
  }
  /// Tells that all bytes of the part that was read are put.
  void end_part() {
    if (staging_) staging_->begun(parts_++);
  }
  void finish() {
    if (staging_) staging_->finish();
  }

 private:
  FileState& file_;
  std::span<std::byte> out_;
  std::optional<device::Place> place_;
  std::optional<device::Staging> staging_;
  Buffer room_;
  std::size_t parts_ = 0;
};

/// How the chunks of a part lie in memory.
enum class Placing : unsigned char {
  as_in_file,  ///< neighbours in the file with the gaps that they have there
  aligned      ///< for programs that decode on the device
};

/// The chunks of a part, at positions one after the other.
class PlacedChunks {
 public:
  /// `at`: the first position
  PlacedChunks(const SeenChunks& chunks, const Selection& part, Placing placing, std::size_t at = 0)
      : chunks_(chunks), located_(chunks.all_of(part)), placing_(placing), end_(at) {
    add_runs();
    for (const std::uint64_t number : located_.in_memory) {
      const StoredBytes& bytes = bytes_.emplace_back(chunks.from_memory(number));
      add(number, next(), bytes.bytes.size(), bytes.filter_mask);
    }
  }

  /// Returns the position behind the last chunk.
  [[nodiscard]] std::size_t end() const { return end_; }
  void read(std::span<std::byte> out) const {
    placing_ == Placing::as_in_file ? read_in_place(out) : read_apart(out);
  }
  [[nodiscard]] std::vector<LoadedChunk> take() {
    if (!bytes_.empty()) std::ranges::sort(loaded_, {}, &LoadedChunk::start);
    return std::move(loaded_);
  }

 private:
  /// Chunks [first, end) of the file, which one read brings.
  struct Run {
    std::size_t first, end;
    Address address;
    std::size_t size;
  };

  /// Finds the runs, and gives their chunks positions.
  void add_runs() {
    constexpr std::uint64_t kPart = std::uint64_t{16} << 20U;
    ReadLimits limits{.gap = kGap};
    if (placing_ == Placing::aligned) limits.bytes = kPart;
    const std::vector<ChunkPlace>& places = located_.places;
    for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
      end = end_of_neighbours(places, i, limits);
      const Address address = places[i].address;
      runs_.push_back(
          {i, end, address, static_cast<std::size_t>(end_of(places[end - 1]) - address.value)});
      const std::size_t first = end_;
      for (const ChunkPlace& place : std::span(places).subspan(i, end - i))
        add(place.number,
            placing_ == Placing::aligned
                ? next()
                : first + static_cast<std::size_t>(place.address.value - address.value),
            static_cast<std::size_t>(place.size), place.filter_mask);
    }
  }
  /// Returns the position of a chunk that follows no neighbour.
  [[nodiscard]] std::size_t next() const {
    constexpr std::size_t kAlignment = 16;
    return placing_ == Placing::aligned ? round_up(end_, kAlignment) : end_;
  }
  void add(std::uint64_t number, std::size_t at, std::size_t size, std::uint32_t filter_mask) {
    loaded_.push_back({chunks_.start(number), at, size, filter_mask});
    end_ = at + size;
  }

  /// Calls each(position, bytes) for the chunks in memory.
  template <class F>
  void for_each_in_memory(F&& each) const {
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      each(loaded_[located_.places.size() + i].at, std::span(bytes_[i].bytes));
  }
  void read_in_place(std::span<std::byte> out) const {
    for (const Run& run : runs_)
      read_file(file_of(chunks_.node()), run.address, out.subspan(loaded_[run.first].at, run.size));
    for_each_in_memory([&](std::size_t at, std::span<const std::byte> bytes) {
      std::ranges::copy(bytes, &out[at]);
    });
  }
  void read_apart(std::span<std::byte> out) const {
    std::size_t most = 1;
    for (const Run& run : runs_) most = std::max(most, run.size);
    ChunkTarget target(file_of(chunks_.node()), out, most);
    for (const Run& run : runs_) {
      const auto part = target.read(run.address, run.size);
      for (std::size_t i = run.first; i < run.end; ++i)
        target.put(loaded_[i].at,
                   part.subspan(static_cast<std::size_t>(located_.places[i].address.value -
                                                         run.address.value),
                                loaded_[i].size));
      target.end_part();
    }
    for_each_in_memory(
        [&](std::size_t at, std::span<const std::byte> bytes) { target.put(at, bytes); });
    target.finish();
  }

  const SeenChunks& chunks_;
  LocatedChunks located_;
  Placing placing_;
  std::vector<Run> runs_;
  std::vector<StoredBytes> bytes_;   ///< of the chunks in memory
  std::vector<LoadedChunk> loaded_;  ///< those in the file come first
  std::size_t end_;
};

void require_room(const SeenChunks& chunks, std::size_t room, std::size_t size) {
  if (room < size)
    chunks.reject(fmt::format("out: room for {} bytes was expected, not for {}", size, room));
}

}  // namespace

std::vector<std::byte> handles::copy_of(const Node& dataset, std::span<const std::byte> bytes) {
  const auto place = naming_dataset(dataset, [&] { return device::place_of(bytes.data()); });
  if (!place) return {bytes.begin(), bytes.end()};
  std::vector<std::byte> copy(bytes.size());
  naming_dataset(dataset, [&] {
    device::Copies copies(*place);
    copies.from_device(copy.data(), bytes.data(), bytes.size());
    copies.finish();
  });
  return copy;
}

StoredBytes read_stored_chunk(const Dataset& dataset, const Shape& start) {
  StoredBytes stored;
  read_stored_chunk(dataset, start, stored);
  return stored;
}

void read_stored_chunk(const Dataset& dataset, const Shape& start, StoredBytes& out) {
  const SeenChunks chunks(dataset);
  const std::uint64_t number = chunks.number(start);
  if (chunks.is_in_memory(number)) return void(out = chunks.from_memory(number));
  const auto place = find_chunk(chunks.node(), number);
  if (!place)
    throw Error(ErrorCode::not_found, fmt::format("{}: chunk at [{}]: was never written",
                                                  chunks.node().where(), fmt::join(start, ", ")));
  const auto size = static_cast<std::size_t>(place->size);
  resize_tightly(out.bytes, size);
  out.filter_mask = place->filter_mask;
  read_file(file_of(chunks.node()), place->address, out.bytes);
}

std::vector<LoadedChunk> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                            std::vector<std::byte>& out, std::size_t at) {
  const SeenChunks chunks(dataset);
  PlacedChunks placed(chunks, part, Placing::as_in_file, at);
  if (out.size() < placed.end()) resize_tightly(out, placed.end());
  placed.read(out);
  return placed.take();
}

LoadedChunk read_stored_chunk(const Dataset& dataset, const Shape& start,
                              std::span<std::byte> out) {
  const SeenChunks chunks(dataset);
  const StoredBytes stored = read_stored_chunk(dataset, start);
  require_room(chunks, out.size(), stored.bytes.size());
  naming_dataset(chunks.node(), [&] {
    ChunkTarget target(file_of(chunks.node()), out, 1);
    target.put(0, stored.bytes);
    target.finish();
  });
  return {start, 0, stored.bytes.size(), stored.filter_mask};
}

std::size_t room_for_stored_chunks(const Dataset& dataset, const Selection& part) {
  const SeenChunks chunks(dataset);
  return PlacedChunks(chunks, part, Placing::aligned).end();
}

std::vector<LoadedChunk> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                            std::span<std::byte> out) {
  return read_stored_chunks(dataset, part, [&](std::size_t) { return out; });
}

std::vector<LoadedChunk> read_stored_chunks(
    const Dataset& dataset, const Selection& part,
    const std::function<std::span<std::byte>(std::size_t)>& room) {
  const SeenChunks chunks(dataset);
  PlacedChunks placed(chunks, part, Placing::aligned);
  const std::span<std::byte> out = room(placed.end());
  require_room(chunks, out.size(), placed.end());
  naming_dataset(chunks.node(), [&] { placed.read(out); });
  return placed.take();
}

}  // namespace onecast
