#include "structures/global_heap.hpp"

#include <fmt/format.h>

#include <optional>

#include "structures/read_record.hpp"

namespace onecast {
namespace {

std::uint64_t prefix_size(const FileContext& file) {
  return (8 + std::uint64_t{file.size_of_lengths} + 7) / 8 * 8;
}

ByteView view_collection(MetadataSource& source, Address address) {
  const std::uint64_t prefix = prefix_size(source.file());
  const auto header = read_record<GlobalHeapCollection>(source, address, prefix);
  if (header.collection_size < prefix)
    reader_at(source, address, GlobalHeapCollection::kTitle)
        .fail("Collection Size", "is too small");
  return source.view(address, header.collection_size, GlobalHeapCollection::kTitle);
}

/// Calls `each(object)` for all objects of a collection until it returns false. There may be too
/// little space behind the last one for another object's prefix: then it is free space too.
template <class F>
void for_each_object(MetadataSource& source, Address address, ByteView bytes, F&& each) {
  const std::uint64_t prefix = prefix_size(source.file());
  ByteReader in(bytes, address, source.file());
  in.seek(static_cast<std::size_t>(prefix), GlobalHeapObject::kTitle);
  while (in.remaining() >= prefix) {
    const auto object = decode<GlobalHeapObject>(in);
    if (object.is_free_space() || !each(object)) return;
  }
}

[[noreturn]] void fail_missing(MetadataSource& source, const GlobalHeapId& id) {
  reader_at(source, id.collection, GlobalHeapCollection::kTitle)
      .fail("Global Heap Object", fmt::format("there is no object {}", id.index));
}

}  // namespace

ByteView GlobalHeap::object(const GlobalHeapId& id) {
  const Collection& objects = collection(id.collection);
  const auto found = objects.find(id.index);
  if (found == objects.end()) fail_missing(*source_, id);
  return found->second;
}

const GlobalHeap::Collection& GlobalHeap::collection(Address address) {
  const auto known = collections_.find(address);
  if (known != collections_.end()) return known->second;
  const ByteView bytes = view_collection(*source_, address);
  visited_.add(address, bytes.size(), source_->file(), GlobalHeapCollection::kTitle);
  Collection objects;
  for_each_object(*source_, address, bytes, [&objects](const GlobalHeapObject& object) {
    objects.emplace(object.index, object.data);
    return true;
  });
  return collections_.emplace(address, std::move(objects)).first->second;
}

ByteView global_heap_object(MetadataSource& source, Address collection, std::uint32_t index) {
  std::optional<ByteView> found;
  for_each_object(source, collection, view_collection(source, collection),
                  [&](const GlobalHeapObject& object) {
                    if (object.index == index) found = object.data;
                    return !found;
                  });
  if (!found) fail_missing(source, {collection, index});
  return *found;
}

}  // namespace onecast
