#include "onecast/objects/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/make_error.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "device/driver.hpp"
#include "objects/any_layout/device_transfer.hpp"
#include "objects/any_layout/direct_transfer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/transfer.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/chunks/stored_chunk_index.hpp"
#include "objects/contiguous/external_data.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/diverged.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/handles/request_members.hpp"
#include "objects/lifetime/dataset_info.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/together/collective_chunk_write.hpp"
#include "objects/together/read_together.hpp"
#include "objects/together/settle_chunks.hpp"
#include "objects/together/write_together.hpp"
#include "objects/values/overwritten_values.hpp"
#include "objects/values/renew_places.hpp"
#include "objects/values/store_values.hpp"
#include "objects/values/store_values_together.hpp"
#include "objects/values/waiting_writes.hpp"
#include "objects/virtual_datasets/virtual_storage.hpp"
#include "onecast/objects/variable_values.hpp"

namespace onecast {

using namespace handles;

using Direction = Transfer::Direction;

namespace {

Sharing sharing_of(const FileState& file, std::optional<Sharing> of_call) {
  return of_call.value_or(file.options().sharing);
}

/// Returns true for the collective write of one rank to a virtual dataset, which several ranks
/// cannot make.
bool goes_to_sources(Node& dataset) {
  return file_of(dataset).comm().size() == 1 && dataset.dataset().layout == Layout::virtual_dataset;
}

}  // namespace

const Datatype& Dataset::datatype() const {
  if (const Datatype* known = node_.now()->known_datatype()) return *known;
  return node_->datatype();
}
const Dataspace& Dataset::dataspace() const {
  if (const Dataspace* known = node_.now()->known_dataspace()) return *known;
  return node_->dataspace();
}
std::uint64_t Dataset::element_count() const { return dataspace().element_count(); }
Layout Dataset::layout() const { return node_->layout(); }
Shape Dataset::chunk_shape() const { return node_->dataset().chunk; }
std::vector<ExternalSlot> Dataset::external_slots() const {
  const DatasetInfo& info = node_->dataset();
  if (!info.is_external()) return {};
  return external_data_of(info).slots();
}
std::vector<VirtualMapping> Dataset::virtual_mappings() const {
  const DatasetInfo& info = node_->dataset();
  if (info.layout != Layout::virtual_dataset) return {};
  return sources_of(info).mappings();
}

void Dataset::set_prefixes(FilePrefixes prefixes) {
  Node& node = *node_;
  file_of(node).require_open();
  const auto until_held = node.set_prefixes(std::move(prefixes));
  node_ = handle_from(node_, node);
}

void Dataset::read_alone(std::span<std::byte> out, const RequestView& request) const {
  Node& node = *node_;
  file_of(node).require_open();
  if (!file_of(node).changes().variable_writes.empty()) require_none_waiting(node, *request.part);
  // This is by far the most frequent small read; nothing is rearranged or converted.
  if (const DatasetInfo& info = node.dataset();
      info.layout == Layout::compact && request.memory == nullptr && !request.memory_type &&
      device::driver() == nullptr && request.part->kind() == Selection::Kind::all &&
      out.size() == info.compact.size() &&
      out.size() == info.space.element_count() * info.type.size()) {
    if (!out.empty()) std::memcpy(out.data(), info.compact.data(), out.size());
    return;
  }
  Transfer(Direction::reading, node, out, request.memory, *request.part, request.memory_type,
           request.stream)
      .read(out);
}

void Dataset::write_alone(std::span<const std::byte> bytes, const RequestView& asked) {
  require_writable(node_);
  FileState& file = file_of(*node_);
  require_there(*node_);
  const Selection& part = *asked.part;
  const NewValues& values = values_of(asked);
  const Transfer request(Direction::writing, *node_, bytes, asked.memory, part, asked.memory_type,
                         asked.stream);
  if (layout() == Layout::virtual_dataset) {
    if (request.works_by_parts()) note_other_way(*node_, request);
    std::vector<std::byte> own;
    return write_sources(request.packed(bytes, own), asked);
  }
  if (request.works_by_parts() && layout() != Layout::compact && !uses_heap(datatype())) {
    if (!waits_for_flush(*node_)) allocate_late(*node_);
    if (!needs_new_place(*node_))
      return write_by_parts(*node_, request, bytes, allocation_for(*node_));
  }
  std::vector<std::byte> own;
  auto stored = request.packed(bytes, own);
  if (needs_new_place(*node_)) {
    check_new_values(*node_, stored, values);
    if (waits_for_flush(*node_))
      return file.changes().variable_writes.push_back(waiting_write(*node_, part, stored, values));
    if (uses_heap(datatype())) stored = with_stored_values(*node_, stored, values, own);
  }
  std::optional<OverwrittenValues> overwritten;
  if (!waits_for_flush(*node_)) {
    if (uses_heap(datatype())) overwritten.emplace(file).note(*node_, request.selection());
    allocate_late(*node_);
    if (needs_new_place(*node_)) renew_places_together(*node_, request.selection());
  }
  if (layout() != Layout::compact) {
    write_stored(*node_, request.selection(), stored, allocation_for(*node_));
  } else {
    write_compact(*node_, part, stored);
    // The flush sends the whole value of a local dataset.
    if (!node_->is_local())
      file.changes().compact_writes.remember({node_->id(), part, {stored.begin(), stored.end()}});
  }
  if (overwritten) overwritten->drop();
}

void Dataset::write_equally(std::span<const std::byte> bytes, const RequestView& asked) {
  FileState& file = file_of(*node_);
  const Selection& part = *asked.part;
  const NewValues& values = values_of(asked);
  const Sharing how = sharing_of(file, asked.sharing);
  if (node_->is_local()) {
    require_there(*node_);
    require_changeable(*node_, "write_equal");
    return write_alone(bytes, asked);
  }
  if (goes_to_sources(*node_)) return write_alone(bytes, asked);
  file_of(*node_).make_room();
  std::optional<Transfer> request;
  std::vector<std::byte> own;
  std::span<const std::byte> stored;
  bool by_parts = false;
  Digest digest(part.digest());
  const auto elements = [&] {
    return by_parts ? StoredElements(*request, bytes) : StoredElements(stored);
  };
  const auto add_elements = [&](Digest& to) {
    elements().add_to(to, request->selection().element_count(), datatype().size());
  };
  const auto pack = [&] {
    require_writable(node_);
    require_there(*node_);
    require_changeable(*node_, "write_equal");
    request.emplace(Direction::writing, *node_, bytes, asked.memory, part, asked.memory_type,
                    asked.stream);
    by_parts = request->works_by_parts() && layout() != Layout::compact && !uses_heap(datatype());
    if (!by_parts) stored = request->packed(bytes, own);
    if (uses_heap(datatype())) {
      check_new_values(*node_, stored, values);
      digest.add(values.bytes());
    }
  };
  if (how == Sharing::verify || how == Sharing::serve)
    require_all_have(
        *node_, CallKind::write_equal,
        [&] {
          pack();
          Digest mine = digest;
          add_elements(mine.add(node_->identity()));
          return mine.value();
        },
        [&] {
          std::vector<std::string> words{part_in_words(*node_, part)};
          add_elements_in_words(*node_, datatype(), stored, words);
          return words;
        });
  else
    pack();
  // Rank 0 notes the old values for all ranks.
  std::optional<OverwrittenValues> overwritten;
  if (uses_heap(datatype()) && file.comm().rank() == 0)
    overwritten.emplace(file).note(*node_, request->selection());
  if (uses_heap(datatype())) stored = with_stored_values(*node_, stored, values, own);
  if (layout() == Layout::compact) {
    write_compact(*node_, part, stored);
    file.changes().compact_writes.overwrite({node_->id(), part, {stored.begin(), stored.end()}});
  } else {
    if (needs_new_place(*node_)) {
      RenewedPlaces places(file);
      places.want(*node_, request->selection());
      places.renew_equally();
    }
    write_once(*node_, part, elements());
  }
  if (overwritten) overwritten->drop();
  if (how != Sharing::trust)
    file.log().add("write", *node_, "", [&] {
      add_elements(digest);
      return CallArguments(CallArguments::kValue, digest);
    });
}

void Dataset::transfer(How how, std::span<std::byte> out, const RequestView& request) const {
  if (how == How::alone) {
    if (request.failure) std::rethrow_exception(request.failure);
    require_members(*node_, "read", request, Takes::nothing);
    return read_alone(out, request);
  }
  std::exception_ptr failure = request.failure;
  try_to(failure, [&] { require_members(*node_, "read_all", request, Takes::sharing); });
  const Read mine{&*node_, out, request.memory, request.part, request.memory_type, request.stream};
  read_together(file_of(*node_), CallKind::read_all, {&mine, 1},
                sharing_of(file_of(*node_), request.sharing), failure);
}

void Dataset::transfer(How how, std::span<const std::byte> bytes, const RequestView& request) {
  if (how == How::together) {
    std::exception_ptr failure = request.failure;
    try_to(failure, [&] {
      require_writable(node_);
      require_members(*node_, "write_all", request, Takes::values);
    });
    if (!failure && goes_to_sources(*node_)) return write_alone(bytes, request);
    const Write mine{&*node_,
                     bytes,
                     request.memory,
                     request.part,
                     request.memory_type,
                     &values_of(request),
                     request.stream};
    return write_together(file_of(*node_), CallKind::write_all, {&mine, 1}, failure);
  }
  if (request.failure) std::rethrow_exception(request.failure);
  if (how == How::equally) {
    require_members(*node_, "write_equal", request, Takes::values_and_sharing);
    return write_equally(bytes, request);
  }
  require_members(*node_, "write", request, Takes::values);
  write_alone(bytes, request);
}

Selection Dataset::rows(std::uint64_t first, std::uint64_t end) const {
  Shape count = shape();
  if (count.empty() || first > end || end > count[0])
    throw argument_error("{}: rows {} to {}: the dataset has {} rows", node_->where(), first, end,
                         count.empty() ? 0 : count[0]);
  Shape start(count.size(), 0);
  start[0] = first;
  count[0] = end - first;
  return Hyperslab{std::move(start), std::move(count)};
}

void Dataset::resize(const Shape& shape) {
  begin_adding(node_);
  FileState& file = file_of(*node_);
  require_there(*node_);
  file.require_editable();
  require_changeable(*node_, "resize");
  const DatasetInfo& info = node_->dataset();
  const auto reject = [&](const std::string& what) {
    throw argument_error("{}: resize: {}", node_->where(), what);
  };
  if (info.layout != Layout::chunked) reject("only chunked datasets can be resized");
  const Shape& before = info.space.shape();
  const Shape& most = info.space.max_shape().empty() ? before : info.space.max_shape();
  if (shape.size() != before.size())
    reject(fmt::format("{} dimensions expected, {} given", before.size(), shape.size()));
  std::uint64_t bytes = info.type.size();
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] > most[d])
      reject(fmt::format("{} in dimension {} is beyond the maximum of {}", shape[d], d, most[d]));
  for (const std::uint64_t n : shape)
    if (__builtin_mul_overflow(bytes, n, &bytes) || bytes > kMaxDatasetSize) reject("too large");
  require_index_room(*node_, shape);
  EditedChunks& chunks = edited_chunks(*node_);
  resize_waiting_writes(*node_, before, shape);
  set_shape(*node_, shape);
  chunks.resize(chunks_of(node_->dataset()).grid());
  file.own_files().forget_growing();
  file.log().add("resize", *node_, "",
                 {CallArguments::kShape, Digest().add(std::as_bytes(std::span(shape)))});
}

std::size_t Dataset::count_of(const RequestView& request) const {
  file_of(*node_).require_open();
  const DatasetInfo& info = node_->dataset();
  if (request.memory_type)
    const Conversion there_must_be_one(info.type, *request.memory_type, *node_);
  if (request.memory != nullptr)
    return static_cast<std::size_t>(Dataspace(request.memory->shape()).element_count());
  require_stored(*node_);
  return static_cast<std::size_t>(BoundSelection(info.space, *request.part, *node_).given_count());
}

std::size_t Dataset::room_for(const RequestView& request, std::size_t size) const {
  const std::size_t count = count_of(request);
  const std::size_t element = (request.memory_type ? *request.memory_type : datatype()).size();
  std::size_t bytes = 0;
  if (element % size != 0)
    throw argument_error("{}: elements of {} bytes expected, not of {}", node_->where(), element,
                         size);
  if (__builtin_mul_overflow(count, element, &bytes))
    throw argument_error("{}: a part of {} elements is too large", node_->where(), count);
  return bytes / size;
}

}  // namespace onecast
