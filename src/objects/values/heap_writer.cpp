#include "objects/values/heap_writer.hpp"

#include <utility>

#include "objects/storage/lost_writes.hpp"
#include "objects/storage/raw_data.hpp"
#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

/// Values of many calls: without them nothing is flushed, and the flush tries again.
bool write_or_lose(FileState& file, Address address, std::span<const std::byte> bytes) {
  try {
    write_raw(file, address, bytes);
    return true;
  } catch (const Error&) {
    LostWrite lost;
    lost.error = std::current_exception();
    lost.is_needed = true;
    lost.address = address;
    lost.bytes.assign(bytes.begin(), bytes.end());
    lose(file, std::move(lost));
    return false;
  }
}

}  // namespace

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
  if (packer_) packer_->finish();
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

Address HeapWriter::begin(std::uint64_t size) { return take_heap_place(file_, size); }

void HeapWriter::complete(Address address, std::span<const std::byte> bytes, std::uint64_t begun) {
  const bool keep = std::exchange(keep_, false);
  if (begun > bytes.size())
    file_.allocator().free_raw_data(address + bytes.size(), begun - bytes.size());
  const int writer = file_.writer_at(address);
  file_.changes().first_rank_writes = true;
  const bool is_writer = file_.comm().rank() == writer;
  const bool is_written = is_writer && write_or_lose(file_, address, bytes);
  if ((keep && !is_writer) || (is_writer && !is_written))
    kept_.emplace(address, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace onecast
