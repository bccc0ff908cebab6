#include "structures/heaps/global_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "structures/read_record.hpp"

namespace onecast {
namespace {

ByteReader reader_of(Address address, const FileContext& file) {
  return {ByteView{}, address, file, GlobalHeapCollection::kTitle};
}

ByteView view_collection(MetadataSource& source, Address address) {
  const ByteView prefix =
      source.view(address, heap_prefix_size(source.file()), GlobalHeapCollection::kTitle);
  const std::uint64_t size = heap_collection_size(prefix, address, source.file());
  return source.view(address, size, GlobalHeapCollection::kTitle);
}

/// Calls `each(object)` for all objects of a collection until it returns false. There may be too
/// little space behind the last one for another object's prefix: then it is free space too.
template <class F>
void for_each_object(const FileContext& file, Address address, ByteView bytes, F&& each) {
  const std::uint64_t prefix = heap_prefix_size(file);
  ByteReader in(bytes, address, file);
  in.seek(static_cast<std::size_t>(prefix), GlobalHeapObject::kTitle);
  while (in.remaining() >= prefix) {
    const auto object = decode<GlobalHeapObject>(in);
    if (object.is_free_space() || !each(object)) return;
  }
}

[[noreturn]] void fail_missing(Address address, const FileContext& file, std::uint32_t index) {
  reader_of(address, file).fail("Global Heap Object", fmt::format("there is no object {}", index));
}

}  // namespace

std::uint64_t heap_prefix_size(const FileContext& file) {
  return (8 + std::uint64_t{file.size_of_lengths} + 7) / 8 * 8;
}

std::uint64_t heap_collection_size(ByteView prefix, Address address, const FileContext& file) {
  const auto header = decode<GlobalHeapCollection>(prefix, address, file);
  if (header.collection_size < heap_prefix_size(file))
    reader_of(address, file).fail("Collection Size", "is too small");
  return header.collection_size;
}

HeapCollection::HeapCollection(ByteView bytes, Address address, const FileContext& file)
    : address_(address), file_(&file) {
  const auto before = [](const Object& a, const Object& b) { return a.index < b.index; };
  for_each_object(file, address, bytes, [&](const GlobalHeapObject& object) {
    objects_.push_back({object.index, object.data});
    return true;
  });
  // They mostly lie in the order of their indexes already.
  if (!std::is_sorted(objects_.begin(), objects_.end(), before))
    std::sort(objects_.begin(), objects_.end(), before);
}

ByteView HeapCollection::object(std::uint32_t index) const {
  // Indexes mostly count from 1.
  if (index - 1 < objects_.size() && objects_[index - 1].index == index)
    return objects_[index - 1].data;
  const auto found = std::partition_point(objects_.begin(), objects_.end(),
                                          [&](const Object& o) { return o.index < index; });
  if (found == objects_.end() || found->index != index) fail_missing(address_, *file_, index);
  return found->data;
}

ByteView GlobalHeap::object(const GlobalHeapId& id) {
  return collection(id.collection).object(id.index);
}

const HeapCollection& GlobalHeap::collection(Address address) {
  const auto known = collections_.find(address);
  if (known != collections_.end()) return known->second;
  const ByteView bytes = view_collection(*source_, address);
  visited_.add(address, bytes.size(), source_->file(), GlobalHeapCollection::kTitle);
  return collections_.try_emplace(address, bytes, address, source_->file()).first->second;
}

ByteView global_heap_object(MetadataSource& source, Address collection, std::uint32_t index) {
  std::optional<ByteView> found;
  for_each_object(source.file(), collection, view_collection(source, collection),
                  [&](const GlobalHeapObject& object) {
                    if (object.index == index) found = object.data;
                    return !found;
                  });
  if (!found) fail_missing(collection, source.file(), index);
  return *found;
}

}  // namespace onecast
