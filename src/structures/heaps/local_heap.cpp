#include "structures/heaps/local_heap.hpp"

#include "format/infra/local_heap.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {

LocalHeap::LocalHeap(MetadataSource& source, Address header) : file_(&source.file()) {
  const std::uint64_t size = 8 + 2U * file_->size_of_lengths + file_->size_of_offsets;
  const auto heap = read_record<LocalHeapHeader>(source, header, size);
  data_address_ = heap.data_segment;
  if (heap.data_segment_size != 0)
    data_ = source.view(heap.data_segment, heap.data_segment_size, "Local Heap: Data Segment");
}

std::string_view LocalHeap::text(std::uint64_t offset, const char* what) const {
  ByteReader in(data_, data_address_, *file_, "Local Heap");
  if (offset >= data_.size()) in.fail(what, "lies outside the data segment");
  in.seek(static_cast<std::size_t>(offset), what);
  return in.c_string(what);
}

}  // namespace onecast::structures
