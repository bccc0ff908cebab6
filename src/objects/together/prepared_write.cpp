#include "objects/together/prepared_write.hpp"

#include <algorithm>
#include <utility>

#include "objects/any_layout/device_transfer.hpp"
#include "objects/any_layout/direct_transfer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/together/settle_chunks.hpp"
#include "objects/values/renew_places.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/base/error.hpp"

namespace onecast::together {

void PreparedWrite::prepare() {
  for (const Write& write : call_.writes) add(write);
  // merged() compares extents; parts without them are compared by their elements.
  if (parts.size() > 1 &&
      std::ranges::any_of(parts, [](const WritePart& part) { return !part.extents; }))
    require_disjoint_parts();
  arrange();
}

WritePart& PreparedWrite::add_nothing(Node& dataset) {
  static const Selection kNothing = Selection::none();
  static const NewValues kNoValues;
  add(of_others_.emplace_back(Write{&dataset, {}, nullptr, &kNothing, {}, &kNoValues}));
  return parts.back();
}

std::uint64_t PreparedWrite::bytes() const {
  std::uint64_t bytes = 0;
  for (const WritePart& part : parts) bytes += part.request.packed_size();
  return bytes;
}

void PreparedWrite::add(const Write& write) {
  Node& dataset = *write.dataset;
  require_there(dataset);
  WritePart& part = parts.emplace_back(write);
  places_.add(write.part->digest()).add(dataset.identity());
  const DatasetInfo& info = dataset.dataset();
  const bool has_values = write.values != nullptr && needs_new_place(dataset);
  part.by_parts =
      !has_values && info.layout != Layout::compact && part.request.works_by_parts(room_);
  if (!part.by_parts) part.stored = part.request.packed(write.bytes, part.own);
  room_ -= std::min(room_, part.own.size());
  if (has_values) {
    check_new_values(dataset, part.stored, *write.values);
    part.kind = WritePart::Kind::values;
    summary.flags |= WriteNews::kValues;
    if (checks_bytes_) request_.add(part.stored).add(write.values->bytes());
    if (!call_.file.changes().variable_writes.empty()) summary.flags |= WriteNews::kPendingValues;
  } else if (info.layout == Layout::compact) {
    call_.file.require_editable();
    part.kind = WritePart::Kind::compact;
    summary.flags |= WriteNews::kCompact;
    request_.add(dataset.identity()).add(write.part->digest()).add(part.stored);
  } else {
    add_stored(part);
  }
}

void PreparedWrite::add_stored(WritePart& part) {
  Node& dataset = *part.write.dataset;
  const CommunicatorBackend& comm = call_.file.comm();
  if (dataset.dataset().layout == Layout::chunked) {
    part.kind = WritePart::Kind::chunks;
    if (has_unsettled_chunks(dataset)) summary.flags |= WriteNews::kPendingChunks;
  } else {
    if (comm.size() == 1) allocate_late(dataset);
    if (unfilled_of(dataset) != nullptr && !comm.is_self()) summary.flags |= WriteNews::kUnfilled;
  }
  if (checks_bytes_)
    part.elements().add_to(request_, part.request.selection().element_count(), part.element_size());
  // One process needs extents only to find out whether two parts overlap.
  if (comm.size() > 1 || call_.writes.size() > 1)
    part.extents = extents_to_write(dataset, part.request.selection());
}

void PreparedWrite::arrange() {
  ExtentList all = merged(true);
  const BeforeAgreement before =
      before_agreement(call_.asked, own_part(all), call_.file.transfers().layout);
  const bool waits = before != BeforeAgreement::writes;
  if (waits && std::ranges::any_of(
                   parts, [](const WritePart& part) { return part.by_parts && part.extents; })) {
    summary.flags |= WriteNews::kByParts;
    buffers = {};
    all = merged(false);
  }
  summary.wanted.written = before == BeforeAgreement::writes_for_all;
  for (WritePart& part : parts) {
    part.is_in_place = part.extents.has_value();
    const bool waits_for_others = part.extents && before == BeforeAgreement::waits;
    if (!waits_for_others &&
        (part.kind == WritePart::Kind::plain || part.kind == WritePart::Kind::chunks))
      write_at_once(part);
  }
  summary.request.value = request_.value();
  summary.elsewhere.value = places_.value();
  if (waits)
    extents = std::move(all);
  else if (!all.empty())
    summary.wanted.done = 1;
}

/// Writes the elements if they have their places.
void PreparedWrite::write_at_once(WritePart& part) {
  Node& dataset = *part.write.dataset;
  const BoundSelection& selection = part.request.selection();
  if (part.kind == WritePart::Kind::plain) {
    if (part.by_parts)
      write_by_parts(dataset, part.request, part.write.bytes, allocation_for(dataset),
                     part.known_extents());
    else
      write_contiguous(dataset, selection, part.stored);
    part.is_done = part.is_in_place;
    return;
  }
  const bool is_of_device = part.by_parts && part.request.place();
  if (is_of_device && !part.extents) part.extents = extents_to_write(dataset, selection);
  if (is_of_device && part.extents) {
    write_by_parts(dataset, part.request, part.write.bytes, allocation_for(dataset),
                   part.known_extents());
    part.is_in_place = true;
  } else {
    if (part.by_parts) note_other_way(dataset, part.request);
    part.is_in_place = write_chunks_in_place(dataset, selection, part.elements());
  }
  part.is_done = part.is_in_place;
  if (part.is_in_place) return;
  summary.flags |= WriteNews::kNewChunks;
  require_writable_storage(dataset);
  call_.file.require_editable();
}

OwnPart PreparedWrite::own_part(const ExtentList& all) const {
  const CommunicatorBackend& comm = call_.file.comm();
  return {.pieces = all.stretches(),
          .bytes = all.bytes(),
          .is_all = std::ranges::any_of(parts,
                                        [](const WritePart& part) {
                                          return part.request.selection().element_count() ==
                                                 part.write.dataset->dataspace().element_count();
                                        }),
          .is_one = parts.size() == 1,
          .leaves_holes = (summary.flags & WriteNews::kUnfilled) != 0,
          .is_of_highest_rank = comm.rank() == comm.size() - 1};
}

/// Merges the extents of all writes, or those that are not written by parts.
ExtentList PreparedWrite::merged(bool with_parts) {
  std::vector<ExtentList> lists;
  std::vector<std::uint64_t> positions;
  for (const WritePart& part : parts)
    if (part.extents && (with_parts || !part.by_parts)) {
      lists.push_back(*part.extents);
      positions.push_back(buffers.add(part.stored));
    }
  if (lists.size() == 1) return std::move(lists.front());
  try {
    return ExtentList::merge(lists, positions);
  } catch (const Error&) {
    require_disjoint_parts();
    throw;
  }
}

void PreparedWrite::require_disjoint_parts() const {
  std::vector<PartOfDataset> all;
  all.reserve(parts.size());
  for (const WritePart& part : parts)
    all.push_back({part.write.dataset, &part.request.selection()});
  require_disjoint(std::move(all), name_of(call_.kind));
}

}  // namespace onecast::together
