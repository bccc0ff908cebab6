#include "structures/heaps/global_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/round_up.hpp"
#include "structures/heaps/heap_room.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
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

/// Calls `each(object)` for all objects of a collection until it returns false. A rest after the
/// last object that is too small for a prefix is free space, too.
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
    : bytes_(bytes), address_(address), file_(&file), end_(heap_prefix_size(file)) {
  const auto before = [](const Object& a, const Object& b) { return a.index < b.index; };
  for_each_object(file, address, bytes, [&](const GlobalHeapObject& object) {
    objects_.push_back({object.index, object.data});
    const Extent extent = this->extent(objects_.back());
    end_ = extent.offset + extent.size;
    if (object.index != extent.offset / HeapRoom::kUnit) has_indexes_of_places_ = false;
    return true;
  });
  // They are mostly sorted already.
  if (!std::is_sorted(objects_.begin(), objects_.end(), before))
    std::sort(objects_.begin(), objects_.end(), before);
}

HeapCollection::Extent HeapCollection::extent(const Object& object) const {
  const std::uint64_t prefix = heap_prefix_size(*file_);
  const auto data = static_cast<std::uint64_t>(object.data.data() - bytes_.data());
  // The padding after the data may be missing at the end.
  const std::uint64_t end = round_up(data + object.data.size(), 8);
  return {data - prefix, std::min<std::uint64_t>(end, bytes_.size()) - (data - prefix)};
}

HeapCollection::Extent HeapCollection::extent(std::uint32_t index) const {
  return extent(find(index));
}

bool HeapCollection::parts_at(std::uint64_t offset) const {
  return offset == end_ || offset == bytes_.size() ||
         std::ranges::any_of(objects_, [&](const Object& o) { return extent(o).offset == offset; });
}

const HeapCollection::Object& HeapCollection::find(std::uint32_t index) const {
  // Other programs mostly number objects from 1.
  if (index - 1 < objects_.size() && objects_[index - 1].index == index) return objects_[index - 1];
  const auto found = std::partition_point(objects_.begin(), objects_.end(),
                                          [&](const Object& o) { return o.index < index; });
  if (found == objects_.end() || found->index != index) fail_missing(address_, *file_, index);
  return *found;
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

}  // namespace onecast::structures
