#include "objects/handles/metadata_report.hpp"

#include <algorithm>

#include "objects/files/file_state.hpp"

namespace onecast::handles {

MetadataReport metadata_report(const FileState& file) {
  MetadataReport r;
  const MetadataStore& store = file.store();
  const Superblock& superblock = store.superblock();
  const bool is_ours = file.has_allocator() && file.committed().has_page_list;
  r.file_size = is_ours ? file.allocator().end()
                        : superblock.end_of_file_address.value - superblock.base_address.value;
  r.reads_to_open = store.load_reads();
  r.complete = store.is_complete();
  r.objects_in_memory = file.nodes().size();
  r.memory_bytes = file.memory_bytes();
  r.most_memory_bytes = std::max(file.most_memory_bytes(), r.memory_bytes);
  r.small_data_bytes = store.small_data_bytes();
  if (const auto& list = store.page_list(); list || is_ours) {
    r.page_list_stale = !is_ours && list->stale;
    r.page_size = is_ours ? file.allocator().page_size() : list->page_size();
    const auto& runs = is_ours ? file.allocator().metadata_runs() : list->runs;
    for (const MetadataPageRun& run : runs) r.pages += run.page_count;
    r.page_runs = runs.size();
    for (const FreeStretch& s : is_ours ? file.allocator().free_stretches() : list->free)
      r.free_bytes += s.size();
    r.extents = is_ours ? file.committed().boot.extent_count() : list->extents.size();
  }
  const StripeLayout& layout = file.transfers().layout;
  const std::uint64_t stripe_size = layout.stripe_size;
  if (layout.is_known()) r.stripe_size = stripe_size;
  std::uint64_t last_stripe = Address::kUndefined;
  const auto count = [&](Address address, std::uint64_t size) {
    r.metadata_bytes += size;
    ++r.pieces;
    const std::uint64_t first = address.value / stripe_size;
    const std::uint64_t last = (address.value + size - 1) / stripe_size;
    r.stripes_touched += last - first + (first == last_stripe ? 0 : 1);
    last_stripe = last;
  };
  const ExtentMap& known =
      store.loaded().extents().empty() ? store.read_on_demand() : store.loaded();
  for (const ExtentMap::Extent& e : known.extents()) count(e.address, e.size);
  r.metadata_bytes -= std::min(r.metadata_bytes, r.small_data_bytes);
  return r;
}

}  // namespace onecast::handles
