#include "objects/any_layout/write_stored.hpp"

#include <fmt/format.h>

#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/first_rank.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast::any_layout {

bool waits_for_flush(const Node& dataset) { return !file_of(dataset).comm().is_self(); }

Placing placing_for(const Node& dataset) {
  return waits_for_flush(dataset) ? Placing::at_flush : Placing::at_once;
}

Placing placing_of_equal(const Node& dataset) {
  return waits_for_flush(dataset) ? Placing::at_flush_of_all : Placing::at_once;
}

void require_there(const Node& dataset) {
  file_of(dataset).require_writable();
  if (dataset.removed)
    throw Error(ErrorCode::state, fmt::format("{}: the dataset was removed", dataset.where()));
}

void write_stored(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                  Placing placing) {
  if (dataset.dataset().layout == Layout::chunked)
    write_chunked(dataset, selection, elements, placing);
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
      write_stored(dataset, selection, elements, placing_of_equal(dataset));
    else
      give_way(dataset, selection, elements);
  });
}

void write_first(Node& dataset, std::span<const std::byte> bytes) {
  if (dataset.is_local())
    return write_stored(dataset, BoundSelection(dataset.dataset().space), bytes,
                        placing_for(dataset));
  const DatasetInfo& info = dataset.dataset();
  Placing placing = placing_of_equal(dataset);
  if (info.layout == Layout::chunked && info.filters.empty() && placing != Placing::at_once) {
    // All ranks know the sizes: rank 0 need not keep the chunks until the flush.
    place_all_chunks(dataset);
    placing = Placing::given;
  }
  on_first_rank(dataset, [&] {
    write_stored(dataset, BoundSelection(dataset.dataset().space), bytes, placing);
  });
}

}  // namespace onecast::any_layout
