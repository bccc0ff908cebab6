#include "objects/contiguous/replaced_data.hpp"

#include <memory>
#include <utility>

#include "base/buffer.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::contiguous {
namespace {

bool may_replace(FileState& file, std::uint64_t size) {
  const Changes& changes = file.changes();
  return size != 0 && changes.released.raw_data.count() != 0 && file.comm().is_self() &&
         file.journal() != nullptr && size <= kMostReplaced - changes.replacing.bytes;
}

}  // namespace

Address allocate_contiguous(Node& dataset, std::uint64_t size, std::size_t element, ByteView fill) {
  FileState& file = file_of(dataset);
  Changes& changes = file.changes();
  PageAllocator& allocator = file.allocator();
  if (!may_replace(file, size)) return allocator.contiguous_data(size);
  if (const auto free = allocator.contiguous_data_inside(size)) return *free;
  const auto removed = allocator.contiguous_data_in(changes.released.raw_data, size);
  if (!removed) return allocator.contiguous_data(size);
  dataset.set_waiting(std::make_unique<WaitingBytes>(changes.waiting, size, element, fill));
  changes.replacing.datasets.push_back(&dataset);
  changes.replacing.bytes += size;
  return *removed;
}

void forget_replacing(Node& removed) {
  if (const WaitingBytes* waiting = removed.waiting())
    file_of(removed).changes().replacing.bytes -= waiting->size();
}

void write_replacing(FileState& file, Commit& pages) {
  for (Node* node : file.changes().replacing.datasets) {
    if (node->removed) continue;
    Buffer bytes(static_cast<std::size_t>(node->waiting()->size()));
    node->waiting()->read(0, bytes.span());
    pages.overwrite(file.transport(), node->dataset().address, std::move(bytes),
                    file.committed().end);
  }
}

void forget_all_replacing(FileState& file) {
  Changes& changes = file.changes();
  for (Node* node : changes.replacing.datasets) node->set_waiting(nullptr);
  changes.replacing.datasets.clear();
  changes.replacing.bytes = 0;
}

}  // namespace onecast::contiguous
