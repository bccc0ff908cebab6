#include "objects/any_layout/stored_extents.hpp"

#include <algorithm>
#include <memory>

#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::any_layout {
namespace {

ExtentList contiguous_extents(Node& dataset, const BoundSelection& selection) {
  require_contiguous(dataset);
  const DatasetInfo& info = dataset.dataset();
  const std::uint64_t element = info.type.size();
  const std::uint64_t first = file_of(dataset).store().base() + info.address.value;
  ExtentListBuilder builder;
  selection.for_each_series(
      [&](std::uint64_t at, std::uint64_t count, std::uint64_t stride, std::uint64_t runs) {
        builder.add_series(first + at * element, count * element, stride * element, runs);
      });
  return builder.take();
}

ExtentList chunk_extents(Node& dataset, const BoundSelection& selection,
                         const std::vector<ChunkPlace>& places) {
  const DatasetInfo& info = dataset.dataset();
  const std::uint64_t element = info.type.size();
  ExtentListBuilder builder;
  for (const ChunkPlace& place : places) {
    const std::uint64_t chunk = file_of(dataset).store().base() + place.address.value;
    for_each_run_in_chunk(selection, chunks_of(info).grid(), place.number,
                          [&](std::uint64_t at, std::uint64_t number, std::uint64_t count) {
                            builder.add(chunk + at * element, count * element, number * element);
                          });
  }
  return builder.take();
}

bool is_stored_contiguously(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  return info.layout == Layout::contiguous && info.address.is_defined() &&
         dataset.waiting() == nullptr;
}

bool has_plain_chunks(const DatasetInfo& info) {
  return info.layout == Layout::chunked && info.filters.empty();
}

}  // namespace

std::optional<StoredExtents> extents_to_read(Node& dataset, const BoundSelection& selection) {
  const DatasetInfo& info = dataset.dataset();
  if (dataset.is_local() || selection.element_count() == 0) return {};
  if (is_stored_contiguously(dataset)) return StoredExtents{contiguous_extents(dataset, selection)};
  if (!has_plain_chunks(info) || are_small(file_of(dataset), chunks_of(info).grid())) return {};
  std::uint64_t wanted = 0;
  const auto places = places_by_address(dataset, selection, wanted);
  if (!places || are_in_store(file_of(dataset), *places)) return {};
  return StoredExtents{chunk_extents(dataset, selection, *places), places->size() < wanted};
}

std::optional<ExtentList> extents_to_write(Node& dataset, const BoundSelection& selection) {
  const DatasetInfo& info = dataset.dataset();
  if (dataset.is_local()) return {};
  if (is_stored_contiguously(dataset)) return contiguous_extents(dataset, selection);
  if (!has_plain_chunks(info)) return {};
  if (selection.element_count() == 0) return ExtentList();
  std::uint64_t wanted = 0;
  const auto places = places_by_address(dataset, selection, wanted);
  if (!places || places->size() < wanted) return {};
  return chunk_extents(dataset, selection, *places);
}

CollectiveOptions collective_options(const FileState& file) {
  CollectiveOptions options;
  options.collective_buffer = file.transfers().options.collective_buffer;
  options.owners.most_aggregators = file.transfers().options.aggregators;
  return options;
}

CollectiveFile& collective_file(FileState& file) {
  if (!file.transfers().collective)
    file.transfers().collective = std::make_unique<CollectiveFile>(
        file.comm(), file.transport(), file.transfers().layout, collective_options(file));
  return *file.transfers().collective;
}

void note_transfer(FileState& file, const TransferPlan& plan, std::uint64_t bytes) {
  file.transfers().last.went(plan.counts ? collective_file(file).last_plan() : plan, bytes);
}

AskedTransfer asked_transfer(const FileState& file, TransferDirection direction, Sharing sharing) {
  return asked_transfer(file.transfers().options, direction, sharing,
                        static_cast<std::size_t>(file.comm().size()));
}

CallSummary summarize_call(FileState& file, const CollectiveCall& call, CallSummary mine,
                           TransferDirection direction, const ExtentList& extents,
                           const std::exception_ptr& failure) {
  AccessSummary wanted = file.transfers().collective
                             ? file.transfers().collective->summary(direction, extents)
                             : summary_of(extents);
  wanted.done = mine.wanted.done;
  wanted.written = mine.wanted.written;
  mine.wanted = wanted;
  mine.stripe_size = file.transfers().layout.stripe_size;
  const auto body = std::as_writable_bytes(std::span(&mine, 1));
  file.calls().meet(call, BodyRule::transfer, body, failure);
  return mine;
}

}  // namespace onecast::any_layout
