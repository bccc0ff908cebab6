#include "objects/values/heap_writer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "objects/elements/lost_writes.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/memory/packer.hpp"
#include "onecast/base/error.hpp"

namespace onecast::values {
HeapWriter& heap_of(FileState& file) {
  if (!file.heap()) file.heap() = std::make_unique<HeapWriter>(file);
  return *known_heap(file);
}

Address take_heap_place(FileState& file, std::uint64_t size) {
  file.changes().dirty = true;  // the page list says what is in use
  return file.allocator().raw_data(size);
}

GlobalHeapId HeapWriter::put(ByteView value, bool keep) {
  if (!packer_) packer_.emplace(file_.store().file(), static_cast<HeapPacker::Target&>(*this));
  const GlobalHeapId id = packer_->put(value);
  ++puts_;
  keep_ = keep_ || keep;
  return id;
}

void HeapWriter::finish() {
  if (packer_) packer_->finish();
  free_useless();
}

void HeapWriter::add(AllDropped& to, Address collection, const Dropped& more) {
  Dropped& dropped = to.try_emplace(collection, more).first->second;
  dropped.objects.insert(more.objects.begin(), more.objects.end());
  // The collection may give back its end when it is written.
  if (dropped.size == 0 || (more.size != 0 && more.size < dropped.size)) dropped.size = more.size;
}

void HeapWriter::drop(Address collection, const HeapCollection& there,
                      const std::set<std::uint32_t>& objects) {
  // A collection of another program, which lies beside metadata.
  if (file_.store().find_data(collection, there.size())) return;
  Dropped mine{there.size(), there.object_count(), there.has_indexes_of_places(),
               there.free_space()};
  for (const std::uint32_t object : objects) {
    const Extent extent = there.extent(object);
    const HeapRoom room{collection, there.size(), collection + extent.offset, extent.size};
    if (is_fresh(room))
      useless_.push_back(room);
    else
      mine.objects.insert(extent);
  }
  if (!mine.objects.empty()) add(dropped_, collection, mine);
}

/// Returns true if the values in the room were put there since the last flush, by a process without
/// a communicator: then the room can be used again at once. No room is fresh while a failed write
/// is to be repeated, because the repeated write could overwrite other values, or after a flush for
/// readers that failed: they may see it already.
bool HeapWriter::is_fresh(const HeapRoom& room) const {
  if (!file_.comm().is_self() || count_lost(file_) != 0 || file_.committed().swmr.is_partly_written)
    return false;
  const bool is_in_open_room = is_open(room.collection) &&
                               packer_->room().address <= room.address &&
                               room.end() <= packer_->room().end();
  return is_in_open_room || fresh_.covers(room.address.value, room.end().value);
}

/// Frees useless rooms, except an open one. Bytes that could not be written will be written again
/// in place: until then, nothing else may go there.
void HeapWriter::free_useless() {
  for (HeapRoom room : std::exchange(useless_, {})) {
    const auto packed = packed_.find(room.collection);
    room.collection_size = packed == packed_.end() ? 0 : packed->second;
    if (count_lost(file_) == 0)
      file_.allocator().free_heap_room(room);
    else
      add(dropped_, room.collection, later(room));
  }
}

HeapWriter::Dropped HeapWriter::later(const HeapRoom& room) {
  const Extent object{room.address.value - room.collection.value, room.size};
  return {room.collection_size, 0, true, {room.collection_size, 0}, {object}};
}

/// Gathers the dropped objects of all ranks: several ranks may have overwritten values of one
/// collection, or one value.
HeapWriter::AllDropped HeapWriter::gather_dropped() {
  Packer mine;
  for (const auto& [collection, dropped] : std::exchange(dropped_, {})) {
    Packer objects;
    for (const Extent& object : dropped.objects) {
      objects.small(object.offset);
      objects.small(object.size);
    }
    for (const std::uint64_t n :
         {collection.value, dropped.size, dropped.count,
          std::uint64_t{dropped.has_indexes_of_places}, dropped.free_space.offset})
      mine.number(n);
    mine.block(objects.out);
  }
  AllDropped all;
  for (const auto& bytes : file_.comm().all_gather(mine.out))
    for (Unpacker u(bytes); !u.at_end();) {
      const Address collection{u.number()};
      Dropped dropped{u.number(), u.number(), u.number() != 0, {}};
      dropped.free_space.offset = u.number();
      dropped.free_space.size = dropped.size - std::min(dropped.size, dropped.free_space.offset);
      for (Unpacker object(u.block()); !object.at_end();) {
        const std::uint64_t offset = object.small();
        dropped.objects.insert({offset, object.small()});
      }
      add(all, collection, dropped);
    }
  return all;
}

void HeapWriter::release_dropped() {
  for (const auto& [collection, dropped] : gather_dropped()) release(collection, dropped);
}

void HeapWriter::release(Address collection, const Dropped& dropped) {
  ReleasedSpace& released = file_.changes().released;
  file_.changes().dirty = true;
  if (!dropped.has_indexes_of_places) {
    if (dropped.objects.size() == dropped.count) file_.release_raw_data(collection, dropped.size);
    return;
  }
  const auto packed = packed_.find(collection);
  const bool is_found = packed != packed_.end() && packed->second != 0;
  const std::uint64_t size = is_found ? packed->second : dropped.size;
  const auto room_of = [&](const Extent& e) {
    return HeapRoom{collection, size, collection + e.offset, e.size};
  };
  // The free space is first, as the last object may free the whole collection. If nothing was put
  // into the collection since, the free space is as it was seen then. Space that is free already
  // may be in use when a flush succeeds.
  const HeapRoom end = room_of(dropped.free_space);
  if (packed == packed_.end() && end.size >= HeapRoom::kUnit &&
      !file_.allocator().has_free_heap_room(end))
    released.heap_rooms.push_back(end);
  for (const Extent& object : dropped.objects) released.heap_rooms.push_back(room_of(object));
}

void HeapWriter::forget() {
  kept_.clear();
  packed_.clear();
  fresh_ = {};
}

std::uint64_t HeapWriter::revision(Address collection) const {
  return puts_ != 0 && (is_open(collection) || kept_.contains(collection)) ? puts_ : 0;
}

std::vector<HeapWriter::Piece> HeapWriter::pending(Address collection) const {
  std::vector<Piece> pieces;
  if (const auto kept = kept_.find(collection); kept != kept_.end())
    for (const auto& [address, bytes] : kept->second) pieces.push_back({address, bytes});
  // The open room comes last, as it may lie where an earlier piece has free space.
  if (is_open(collection)) pieces.push_back({packer_->room().address, packer_->snapshot()});
  return pieces;
}

std::optional<HeapRoom> HeapWriter::reuse(std::uint64_t size) {
  const auto room = file_.allocator().heap_room(size);
  if (room) file_.changes().dirty = true;
  return room;
}

Address HeapWriter::begin(std::uint64_t size) { return take_heap_place(file_, size); }

void HeapWriter::complete(const HeapRoom& room, std::span<const std::byte> bytes,
                          std::uint64_t used) {
  HeapRoom rest = room;
  if (room.is_collection()) {
    rest.size = rest.collection_size = bytes.size();
    if (room.size > rest.size) file_.allocator().free_raw_data(rest.end(), room.size - rest.size);
  }
  packed_[room.collection] = rest.collection_size;
  store(room, bytes);
  rest.address = rest.address + used;
  rest.size -= used;
  if (rest.size >= HeapRoom::kUnit) file_.allocator().free_heap_room(rest);
  fresh_.add(room.address.value, rest.address.value);
  free_useless();
}

void HeapWriter::store(const HeapRoom& room, std::span<const std::byte> bytes) {
  const bool keep = std::exchange(keep_, false);
  const bool is_writer = file_.comm().rank() == file_.writer_at(room.collection);
  file_.changes().first_rank_writes = true;
  file_.transfers().heard_heaps.forget(room.collection);
  cut_kept(room);
  if (is_writer) cut_lost(file_, room.address);
  const bool is_written = is_writer && write_or_lose(room, bytes);
  if ((keep && !is_writer) || (is_writer && !is_written))
    kept_[room.collection][room.address] = {bytes.begin(), bytes.end()};
}

/// Removes the room from the kept pieces, as other values lie there now.
void HeapWriter::cut_kept(const HeapRoom& room) {
  const auto kept = kept_.find(room.collection);
  if (kept == kept_.end()) return;
  Pieces& pieces = kept->second;
  auto at = pieces.lower_bound(room.address);
  if (at != pieces.begin() && end_of(*std::prev(at)) > room.address) --at;
  while (at != pieces.end() && at->first < room.end()) {
    const Address end = end_of(*at);
    if (end > room.end()) {
      const auto behind =
          at->second.end() - static_cast<std::ptrdiff_t>(end.value - room.end().value);
      pieces.emplace(room.end(), std::vector(behind, at->second.end()));
    }
    if (at->first < room.address) {
      at->second.resize(static_cast<std::size_t>(room.address.value - at->first.value));
      ++at;
    } else {
      at = pieces.erase(at);
    }
  }
  if (pieces.empty()) kept_.erase(kept);
}

/// Writes values of many calls. If it fails, nothing is flushed, and the flush tries again.
bool HeapWriter::write_or_lose(const HeapRoom& room, std::span<const std::byte> bytes) {
  try {
    write(room, bytes);
    return true;
  } catch (const Error&) {
    LostWrite lost;
    lost.error = std::current_exception();
    lost.is_needed = true;
    lost.address = room.address;
    lost.bytes.assign(bytes.begin(), bytes.end());
    lose(file_, std::move(lost));
    return false;
  }
}

/// If the process is killed, the collection is sound: the prefix in front, which covers everything
/// that is written, is written last.
void HeapWriter::write(const HeapRoom& room, std::span<const std::byte> bytes) {
  // The system writes an aligned block of this size as a whole.
  constexpr std::uint64_t kBlock = 4096;
  const FileContext& context = file_.store().file();
  const std::uint64_t start = file_.store().base() + room.address.value;
  if (start / kBlock == (start + bytes.size() - 1) / kBlock)
    return write_raw(file_, room.address, bytes);
  const std::size_t prefix = heap_prefix_size(context);
  if (!room.is_collection()) write_raw(file_, room.address, prefix_of_rest(context, room, 0));
  write_raw(file_, room.address + prefix, bytes.subspan(prefix));
  write_raw(file_, room.address, bytes.first(prefix));
}

}  // namespace onecast::values
