#include "objects/values/heap_writer.hpp"

#include <algorithm>
#include <utility>

#include "objects/memory/packer.hpp"
#include "objects/storage/lost_writes.hpp"
#include "objects/storage/raw_data.hpp"
#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/heaps/global_heap.hpp"

namespace onecast {
Address take_heap_place(FileState& file, std::uint64_t size) {
  file.changes().dirty = true;  // the page list tells what is in use
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
  if (packer_) packer_->pause();
}

void HeapWriter::add(AllDropped& to, Address collection, const Dropped& more) {
  Dropped& dropped = to.try_emplace(collection, Dropped{more.size, more.count}).first->second;
  dropped.objects.insert(more.objects.begin(), more.objects.end());
  // Of what was found at different times the last is true: a collection gets more objects, and may
  // give back its end when it is written.
  if (more.count > dropped.count) dropped.size = more.size;
  if (more.count == dropped.count) dropped.size = std::min(dropped.size, more.size);
  dropped.count = std::max(dropped.count, more.count);
}

void HeapWriter::drop(Address collection, std::uint64_t size, std::uint64_t count,
                      const std::set<std::uint32_t>& objects) {
  add(dropped_, collection, {size, count, objects});
}

/// By all ranks: several may have overwritten values of one collection, or one value.
HeapWriter::AllDropped HeapWriter::gather_dropped() {
  Packer mine;
  for (const auto& [collection, dropped] : std::exchange(dropped_, {})) {
    Packer objects;
    for (const std::uint32_t object : dropped.objects) objects.small(object);
    mine.number(collection.value);
    mine.number(dropped.size);
    mine.number(dropped.count);
    mine.block(objects.out);
  }
  AllDropped all;
  for (const auto& bytes : file_.comm().all_gather(mine.out))
    for (Unpacker u(bytes); !u.at_end();) {
      const Address collection{u.number()};
      Dropped dropped{u.number(), u.number()};
      for (Unpacker object(u.block()); !object.at_end();)
        dropped.objects.insert(static_cast<std::uint32_t>(object.small()));
      add(all, collection, dropped);
    }
  return all;
}

void HeapWriter::release_dropped() {
  for (auto& [collection, dropped] : gather_dropped()) {
    const bool grows = is_open(collection);
    const std::uint64_t size = grows ? packer_->size() : dropped.size;
    std::set<std::uint32_t>& unused = unused_[collection];
    unused.merge(dropped.objects);
    if (unused.size() < (grows ? packer_->objects() : dropped.count)) continue;
    unused_.erase(collection);
    if (grows) packer_.reset();
    kept_.erase(collection);
    file_.changes().released.raw_data.push_back({collection, size});
    file_.changes().dirty = true;
  }
}

std::uint64_t HeapWriter::revision(Address collection) const {
  if (const PrivateHeap& local = file_.local_edits().heap; local.has(collection))
    return local.revision();
  return puts_ != 0 && (is_open(collection) || kept_.contains(collection)) ? puts_ : 0;
}

std::vector<std::byte> HeapWriter::pending(Address collection) const {
  if (const PrivateHeap& local = file_.local_edits().heap; local.has(collection))
    return local.collection(collection);
  return is_open(collection) ? packer_->snapshot() : kept_.at(collection);
}

Address HeapWriter::begin(std::uint64_t size) {
  unwritten_from_.reset();
  return take_heap_place(file_, size);
}

void HeapWriter::complete(Address address, std::span<const std::byte> bytes, std::uint64_t begun) {
  if (begun > bytes.size())
    file_.allocator().free_raw_data(address + bytes.size(), begun - bytes.size());
  store(address, bytes, 0);
}

void HeapWriter::extend(Address address, std::span<const std::byte> bytes, std::size_t from) {
  store(address, bytes, from);
}

void HeapWriter::store(Address address, std::span<const std::byte> bytes, std::size_t from) {
  const bool keep = std::exchange(keep_, false) || kept_.contains(address);
  const int writer = file_.writer_at(address);
  file_.changes().first_rank_writes = true;
  const bool is_writer = file_.comm().rank() == writer;
  const bool is_written = is_writer && write_or_lose(address, bytes, from);
  if ((keep && !is_writer) || (is_writer && !is_written))
    kept_.insert_or_assign(address, std::vector<std::byte>(bytes.begin(), bytes.end()));
  else if (is_writer)
    kept_.erase(address);  // from an earlier try, when it had fewer values
}

/// Values of many calls: without them nothing is flushed, and the flush tries again.
bool HeapWriter::write_or_lose(Address address, std::span<const std::byte> bytes,
                               std::size_t from) {
  from = std::min(from, unwritten_from_.value_or(from));
  const auto rest = bytes.subspan(from);
  forget_lost(file_, address + from);
  try {
    // A killed process leaves the free space at the end, or all of the new objects.
    const std::size_t last = from == 0 ? 0 : heap_prefix_size(file_.store().file());
    write_raw(file_, address + from + last, rest.subspan(last));
    if (last != 0) write_raw(file_, address + from, rest.first(last));
    unwritten_from_.reset();
    return true;
  } catch (const Error&) {
    LostWrite lost;
    lost.error = std::current_exception();
    lost.is_needed = true;
    lost.address = address + from;
    lost.bytes.assign(rest.begin(), rest.end());
    lose(file_, std::move(lost));
    unwritten_from_ = from;
    return false;
  }
}

}  // namespace onecast
