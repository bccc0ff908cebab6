#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

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

/// The chunks of a part, at positions one after the other.
class PlacedChunks {
 public:
  PlacedChunks(const SeenChunks& chunks, const Selection& part)
      : chunks_(chunks), located_(chunks.all_of(part)) {
    const auto& [places, in_memory, wanted] = located_;
    for (const ChunkPlace& place : places)
      add(place.number, static_cast<std::size_t>(place.size), place.filter_mask);
    for (const std::uint64_t number : in_memory) {
      bytes_.push_back(chunks.from_memory(number));
      add(number, bytes_.back().bytes.size(), bytes_.back().filter_mask);
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  void read(std::span<std::byte> out) const {
    ChunkTarget target(file_of(chunks_.node()), out, largest_part());
    for_each_part([&](std::size_t first, std::size_t end, Address address, std::size_t size) {
      const auto part = target.read(address, size);
      for (std::size_t i = first; i < end; ++i)
        target.put(
            loaded_[i].at,
            part.subspan(static_cast<std::size_t>(located_.places[i].address.value - address.value),
                         loaded_[i].size));
      target.end_part();
    });
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      target.put(loaded_[located_.places.size() + i].at, bytes_[i].bytes);
    target.finish();
  }
  [[nodiscard]] std::vector<LoadedChunk> take() {
    if (!bytes_.empty()) std::ranges::sort(loaded_, {}, &LoadedChunk::start);
    return std::move(loaded_);
  }

 private:
  void add(std::uint64_t number, std::size_t size, std::uint32_t filter_mask) {
    constexpr std::size_t kAlignment = 16;  // for programs that decode on the device
    const std::size_t at = round_up(size_, kAlignment);
    loaded_.push_back({chunks_.start(number), at, size, filter_mask});
    size_ = at + size;
  }
  /// Calls each(first chunk, end, address, size) for chunks that one read brings.
  template <class F>
  void for_each_part(F&& each) const {
    constexpr std::uint64_t kPart = std::uint64_t{16} << 20U;
    const std::vector<ChunkPlace>& places = located_.places;
    for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
      end = end_of_neighbours(places, i, {.gap = kGap, .bytes = kPart});
      each(i, end, places[i].address,
           static_cast<std::size_t>(end_of(places[end - 1]) - places[i].address.value));
    }
  }
  [[nodiscard]] std::size_t largest_part() const {
    std::size_t most = 1;
    for_each_part(
        [&](std::size_t, std::size_t, Address, std::size_t size) { most = std::max(most, size); });
    return most;
  }

  const SeenChunks& chunks_;
  LocatedChunks located_;
  std::vector<StoredBytes> bytes_;   ///< of the chunks in memory
  std::vector<LoadedChunk> loaded_;  ///< those in the file come first
  std::size_t size_ = 0;
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
  std::vector<LoadedChunk> loaded;
  const auto room_for = [&](std::size_t size) {
    if (out.size() < at + size) resize_tightly(out, at + size);
    return std::span(out).subspan(std::exchange(at, at + size), size);
  };
  const auto [places, in_memory, wanted] = chunks.all_of(part);
  for (std::size_t i = 0; i < places.size();) {
    const std::size_t end = end_of_neighbours(places, i, {.gap = kGap});
    const std::size_t first = at;
    const std::uint64_t address = places[i].address.value;
    read_file(file_of(chunks.node()), places[i].address,
              room_for(static_cast<std::size_t>(end_of(places[end - 1]) - address)));
    for (; i < end; ++i)
      loaded.push_back({chunks.start(places[i].number),
                        first + static_cast<std::size_t>(places[i].address.value - address),
                        static_cast<std::size_t>(places[i].size), places[i].filter_mask});
  }
  for (const std::uint64_t number : in_memory) {
    const std::size_t first = at;
    const StoredBytes stored = chunks.from_memory(number);
    std::ranges::copy(stored.bytes, room_for(stored.bytes.size()).begin());
    loaded.push_back({chunks.start(number), first, stored.bytes.size(), stored.filter_mask});
  }
  if (!in_memory.empty()) std::ranges::sort(loaded, {}, &LoadedChunk::start);
  return loaded;
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
  return PlacedChunks(chunks, part).size();
}

std::vector<LoadedChunk> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                            std::span<std::byte> out) {
  const SeenChunks chunks(dataset);
  PlacedChunks placed(chunks, part);
  require_room(chunks, out.size(), placed.size());
  naming_dataset(chunks.node(), [&] { placed.read(out); });
  return placed.take();
}

}  // namespace onecast
