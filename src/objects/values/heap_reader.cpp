#include "objects/values/heap_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "objects/values/heap_writer.hpp"

namespace onecast::values {
namespace {

/// The size of most collections, except those of large objects.
constexpr std::uint64_t kCommonSize = 4096;
constexpr std::uint64_t kMostKept = std::uint64_t{64} << 20U;
/// More than values without shared objects can have. HDF5 shares an object among elements only if
/// it is a fill value.
constexpr std::uint64_t kMostShared = std::uint64_t{32} << 20U;
/// Each collection is read once, and again for values that are read in another order than stored.
constexpr std::uint64_t kMostLoads = 64;
constexpr std::uint64_t kMostLoadsOfSmallFiles = std::uint64_t{256} << 20U;

/// The values that this rank puts into the heap alone, inside independent(), have a heap of their
/// own.
std::uint64_t revision(const FileState& file, Address collection) {
  if (const PrivateHeap& local = file.local_edits().heap; local.has(collection))
    return local.revision();
  const HeapWriter* const writer = known_heap(file);
  return writer == nullptr ? 0 : writer->revision(collection);
}

std::vector<HeapWriter::Piece> pieces(const FileState& file, Address collection) {
  if (const PrivateHeap& local = file.local_edits().heap; local.has(collection))
    return {{collection, local.collection(collection)}};
  return known_heap(file)->pending(collection);
}

}  // namespace

HeapReader::HeapReader(FileState& file)
    : file_(file),
      values_left_(end() + kMostShared),
      loads_left_(kMostLoads * end() + kMostLoadsOfSmallFiles) {}

std::uint64_t HeapReader::end() const {
  return file_.has_allocator() ? std::max(file_.changes().file_end, file_.allocator().end())
                               : file_.changes().file_end;
}

void HeapReader::look_at(Address address) {
  const std::uint64_t revision = values::revision(file_, address);
  if (last_ && last_address_ == address && last_revision_ == revision) return;
  last_ = revision == 0 ? kept(address) : pending(address, revision);
  last_address_ = address;
  last_revision_ = revision;
}

ByteView HeapReader::find(const GlobalHeapId& id) {
  look_at(id.collection);
  return last_->objects.object(id.index);
}

const HeapCollection& HeapReader::collection(Address address) {
  look_at(address);
  return last_->objects;
}

HeapReader::Object HeapReader::object(const GlobalHeapId& id) {
  const ByteView bytes = find(id);
  spend(values_left_, bytes.size(), "values that share objects of the heap");
  return {bytes, last_};
}

HeapReader::Object HeapReader::object(const GlobalHeapId& id, std::uint64_t size,
                                      const char* field) {
  const ByteView bytes = find(id);
  if (size > bytes.size())
    ByteReader({}, id.collection, file_.store().file(), GlobalHeapCollection::kTitle)
        .fail(field,
              fmt::format("{} bytes in object {} of {} bytes", size, id.index, bytes.size()));
  spend(values_left_, size, "values that share objects of the heap");
  return {bytes.first(static_cast<std::size_t>(size)), last_};
}

void HeapReader::spend(std::uint64_t& left, std::uint64_t amount, const char* on) const {
  if (amount > left)
    throw unsupported_error("{}: global heap: not supported: {}, far longer than the file",
                            file_.path(), on);
  left -= amount;
}

const HeapReader::Collection& HeapReader::kept(Address address) {
  const auto known = collections_.find(address);
  if (known != collections_.end()) return known->second;
  Collection loaded = load(address);
  if (kept_ > kMostKept) {
    collections_.clear();
    visited_ = {};
    kept_ = 0;
  }
  // Collections do not overlap, so together they are no larger than the file.
  visited_.add(address, loaded->all.bytes.size(), file_.store().file(),
               GlobalHeapCollection::kTitle);
  kept_ += loaded->all.bytes.size();
  return collections_.emplace(address, std::move(loaded)).first->second;
}

const HeapReader::Collection& HeapReader::pending(Address address, std::uint64_t revision) {
  Pending& known = pending_[address];
  if (!known.collection || known.revision != revision) known = {revision, load_pending(address)};
  return known.collection;
}

HeapReader::Collection HeapReader::load_pending(Address address) {
  const FileContext& context = file_.store().file();
  const std::vector<HeapWriter::Piece> pieces = values::pieces(file_, address);
  const ByteView start = pieces.front().bytes;
  Bytes all;
  if (pieces.front().address != address) {
    all = load_bytes(address);
  } else {
    all.size = heap_collection_size(start, address, context);
    all.bytes = Buffer(static_cast<std::size_t>(all.size));
    if (start.size() < all.size) read_raw(file_, address, all.bytes.span());
  }
  for (const HeapWriter::Piece& piece : pieces) {
    const std::uint64_t offset = piece.address.value - address.value;
    if (offset > all.size || piece.bytes.size() > all.size - offset)
      ByteReader({}, address, context, GlobalHeapCollection::kTitle)
          .fail("Collection Size", fmt::format("is {}, and it was larger", all.size));
    std::ranges::copy(piece.bytes, all.bytes.span().begin() + static_cast<std::ptrdiff_t>(offset));
  }
  return loaded(std::move(all), address);
}

/// Loads a collection. The writes of other ranks since the last flush are in their memory. If one
/// of them has left the file, no flush will write them, and the file is not damaged.
HeapReader::Collection HeapReader::load(Address address) {
  try {
    return loaded(load_bytes(address), address);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format || !file_.calls().is_left()) throw;
    throw state_error(
        "{}: values of variable length that were written since the last flush "
        "cannot be read, because a rank left the file ({})",
        file_.path(), error.what());
  }
}

HeapReader::Collection HeapReader::loaded(Bytes all, Address address) const {
  HeapCollection objects(ByteView(all.bytes.span()).first(static_cast<std::size_t>(all.size)),
                         address, file_.store().file());
  return std::make_shared<const Loaded>(std::move(all), std::move(objects));
}

void HeapReader::pack(Packer& out) const {
  for (const auto& [address, collection] : collections_) {
    const ByteView bytes = ByteView(collection->all.bytes.span())
                               .first(static_cast<std::size_t>(collection->all.size));
    if (file_.store().find_data(address, bytes.size())) continue;
    out.number(address.value);
    out.block(bytes);
  }
}

HeapReader::Bytes HeapReader::load_bytes(Address address) {
  const FileContext& context = file_.store().file();
  if (const auto heard = file_.transfers().heard_heaps.find(address)) {
    Buffer copy(heard->size());
    std::copy(heard->begin(), heard->end(), copy.span().begin());
    return {std::move(copy), heard->size()};
  }
  const ByteReader at({}, address, context, GlobalHeapCollection::kTitle);
  const auto require_inside = [&](std::uint64_t size) {
    if (address.value > end() || size > end() - address.value)
      at.fail("Collection Size", fmt::format("{} bytes leave the file", size));
  };
  require_inside(heap_prefix_size(context));
  Buffer start(static_cast<std::size_t>(std::min(kCommonSize, end() - address.value)));
  read_raw(file_, address, start.span());
  const std::uint64_t size = heap_collection_size(start.span(), address, context);
  require_inside(size);
  spend(loads_left_, size, "collections read again and again");
  if (size <= start.size()) return {std::move(start), size};
  Buffer whole(static_cast<std::size_t>(size));
  read_raw(file_, address, whole.span());
  return {std::move(whole), size};
}

}  // namespace onecast::values
