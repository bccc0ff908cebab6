#include "objects/any_layout/write_stored.hpp"

#include "base/make_error.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/first_rank.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::any_layout {

bool waits_for_flush(const Node& dataset) { return !file_of(dataset).comm().is_self(); }

Allocation allocation_for(const Node& dataset) {
  return waits_for_flush(dataset) ? Allocation::at_flush : Allocation::at_once;
}

Allocation allocation_of_equal(const Node& dataset) {
  return waits_for_flush(dataset) ? Allocation::at_flush_of_all : Allocation::at_once;
}

void require_there(const Node& dataset) {
  file_of(dataset).require_writable();
  if (dataset.removed) throw state_error("{}: the dataset was removed", dataset.where());
}

void write_stored(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                  Allocation allocation) {
  if (dataset.dataset().layout == Layout::chunked)
    write_chunked(dataset, selection, elements, allocation);
  else
    write_contiguous(dataset, selection, elements);
}

void write_once(Node& dataset, const Selection& part, const StoredElements& elements) {
  FileState& file = file_of(dataset);
  allocate_late(dataset);
  require_writable_storage(dataset);
  const BoundSelection selection(dataset.dataset().space, part, dataset);
  const bool is_first = file.comm().rank() == 0;
  if (!is_first) note_known(dataset, selection);
  on_every_rank(dataset, [&] {
    if (is_first)
      write_stored(dataset, selection, elements, allocation_of_equal(dataset));
    else
      give_way(dataset, selection, elements);
  });
}

void write_first(Node& dataset, std::span<const std::byte> bytes) {
  if (dataset.is_local())
    return write_stored(dataset, BoundSelection(dataset.dataset().space), bytes,
                        allocation_for(dataset));
  const DatasetInfo& info = dataset.dataset();
  Allocation allocation = allocation_of_equal(dataset);
  if (info.layout == Layout::chunked && info.filters.empty() && allocation != Allocation::at_once) {
    // All ranks know the sizes: rank 0 need not keep the chunks until the flush.
    allocate_all_chunks(dataset);
    allocation = Allocation::given;
  }
  on_first_rank(dataset, [&] {
    write_stored(dataset, BoundSelection(dataset.dataset().space), bytes, allocation);
  });
}

}  // namespace onecast::any_layout
