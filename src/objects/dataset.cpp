#include "onecast/objects/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "comm/agreement.hpp"
#include "objects/chunk_index_update.hpp"
#include "objects/chunk_write.hpp"
#include "objects/collective_chunk_write.hpp"
#include "objects/edited_chunks.hpp"
#include "objects/external_data.hpp"
#include "objects/file_state.hpp"
#include "objects/late_allocation.hpp"
#include "objects/limits.hpp"
#include "objects/raw_data.hpp"
#include "objects/read_together.hpp"
#include "objects/renew_places.hpp"
#include "objects/settle_chunks.hpp"
#include "objects/settle_values.hpp"
#include "objects/small_pieces.hpp"
#include "objects/strings.hpp"
#include "objects/transfer.hpp"
#include "objects/unfilled.hpp"
#include "objects/virtual_storage.hpp"
#include "objects/write_stored.hpp"
#include "onecast/objects/variable_values.hpp"

namespace onecast {

using Direction = Transfer::Direction;

namespace {

/// The space of a removed one may be another's already.
void require_there(const Node& dataset) {
  dataset.file->require_writable();
  if (dataset.removed)
    throw Error(ErrorCode::state, fmt::format("{}: the dataset was removed", dataset.where()));
}

Sharing sharing_of(const FileState& file, std::optional<Sharing> of_call) {
  return of_call.value_or(file.options.sharing);
}

void renew_places(Node& dataset, const BoundSelection& selection) {
  if (!needs_new_place(dataset)) return;
  RenewedPlaces places(*dataset.file);
  places.want(dataset, selection);
  places.renew_together();
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
Layout Dataset::layout() const { return node_->dataset().layout; }
Shape Dataset::chunk_shape() const { return node_->dataset().chunk; }
std::vector<ExternalSlot> Dataset::external_slots() const {
  const DatasetInfo& info = node_->dataset();
  return info.external ? info.external->slots() : std::vector<ExternalSlot>();
}
std::vector<VirtualMapping> Dataset::virtual_mappings() const {
  const DatasetInfo& info = node_->dataset();
  return info.sources ? info.sources->mappings() : std::vector<VirtualMapping>();
}

void Dataset::read_alone(std::span<std::byte> out, const MemoryLayout* memory,
                         const Selection& part, const std::optional<Datatype>& memory_type) const {
  node_->file->require_open();
  // By far the most frequent read of small things, and nothing to arrange or to convert.
  if (const DatasetInfo& info = node_->dataset();
      info.layout == Layout::compact && memory == nullptr && !memory_type &&
      part.kind() == Selection::Kind::all && out.size() == info.compact.size() &&
      out.size() == info.space.element_count() * info.type.size()) {
    if (!out.empty()) std::memcpy(out.data(), info.compact.data(), out.size());
    return;
  }
  Transfer(Direction::reading, *node_, out.size(), memory, part, memory_type).read(out);
}

void Dataset::write_alone(std::span<const std::byte> bytes, const MemoryLayout* memory,
                          const Selection& part, const std::optional<Datatype>& memory_type,
                          const NewValues& values) {
  FileState& file = *node_->file;
  require_there(*node_);
  const Transfer request(Direction::writing, *node_, bytes.size(), memory, part, memory_type);
  std::vector<std::byte> own;
  auto stored = request.pack(bytes, own);
  if (needs_new_place(*node_)) {
    check_new_values(*node_, stored, values);
    if (file.comm().size() > 1)
      return file.variable_writes.push_back(
          {node_->id(), part, {stored.begin(), stored.end()}, values});
    if (uses_heap(datatype())) stored = settled(*node_, stored, values, own);
  }
  if (file.comm().size() == 1) {
    allocate_late(*node_);
    renew_places(*node_, request.selection());
  }
  if (layout() != Layout::compact)
    return write_stored(*node_, request.selection(), stored, placing_for(*node_->file));
  write_compact(*node_, part, stored);
  // The whole value of a local dataset is sent at flush.
  if (!node_->is_local())
    node_->file->remember({node_->id(), part, {stored.begin(), stored.end()}});
}

void Dataset::write_together(std::span<const std::byte> bytes, const MemoryLayout* memory,
                             const Selection& part, const std::optional<Datatype>& memory_type,
                             const NewValues* values, std::exception_ptr failure) {
  FileState& file = *node_->file;
  CommunicatorBackend& comm = file.comm();
  node_->require_known_to_all("write_all");
  const TransferScope scope(file, "write_all");
  std::span<const std::byte> stored;
  const auto took = [&](const char* how, const char* why) {
    file.last_transfer.took(how, why, stored.size());
  };
  // Its writes come first.
  if (std::exchange(file.first_rank_writes, false)) comm.barrier();
  CompactWrite mine;
  // Largest of all ranks: failed, compact, other storage, the object and its complement, chunks
  // that all must know of, and those that are pending, values for the heap, and those that are
  // pending, data that is not filled yet, pieces that are not written yet.
  std::uint64_t news[] = {0, 0, 0, node_->identity(), ~node_->identity(), 0, 0, 0, 0, 0, 0};
  std::optional<Transfer> request;
  std::vector<std::byte> own;
  std::optional<ExtentList> pieces;
  bool wrote_in_place = false;
  try {
    if (failure) std::rethrow_exception(failure);
    require_there(*node_);
    request.emplace(Direction::writing, *node_, bytes.size(), memory, part, memory_type);
    stored = request->pack(bytes, own);
    if (values != nullptr && needs_new_place(*node_)) {
      check_new_values(*node_, stored, *values);
      news[7] = 1;
      news[8] = file.variable_writes.empty() ? 0 : 1;
    } else if (layout() == Layout::chunked) {
      news[2] = 1;
      news[6] = has_unsettled_chunks(file, &*node_) ? 1 : 0;
      wrote_in_place = write_chunks_in_place(*node_, request->selection(), stored);
      if (!wrote_in_place) {
        news[5] = 1;
        require_writable_storage(*node_);
        file.require_editable();
      }
    } else if (layout() == Layout::compact) {
      file.require_editable();
      mine = {node_->id(), part, {stored.begin(), stored.end()}};
      news[1] = 1;
    } else {
      if (comm.size() == 1) allocate_late(*node_);
      pieces = pieces_to_exchange(*node_, request->selection());
      if (!pieces) write_contiguous(*node_, request->selection(), stored);
      news[2] = 1;
      news[9] = node_->unfilled ? 1 : 0;
      news[10] = pieces ? 1 : 0;
    }
  } catch (...) {
    failure = std::current_exception();
    news[0] = 1;
  }
  const bool equal = compare_digest(comm, Digest(part.digest()).add(mine.bytes).value(), news);
  const auto [failed, compact, other, identity, complement, chunks, pending, heap, waiting,
              unfilled, together] = news;
  if (failed != 0)
    agree(comm, [&] {
      if (failure) std::rethrow_exception(failure);
    });
  if (unfilled != 0) fill_unwritten(file);
  if (compact == 0 && chunks == 0 && heap == 0) {
    if (together != 0) return write_pieces(file, pieces, stored);
    return took("plain", comm.size() == 1 ? "there is one process"
                         : file.transfers.writing == TransferMethod::plain
                             ? "it was asked for"
                             : "nobody writes many small pieces of contiguous data");
  }
  if ((compact != 0 && other != 0) || identity != ~complement)
    throw Error(
        ErrorCode::diverged,
        fmt::format("{}: write_all: ranks write different datasets, one of them {}", file.path,
                    heap != 0      ? "of variable length, or without a place yet"
                    : compact != 0 ? "compact"
                                   : "chunked"));
  if (heap != 0) {
    if (waiting != 0) settle_variable_writes(file);
    std::vector<std::byte> elements(stored.begin(), stored.end());
    settle_together(*node_, request->selection(), elements, *values);
    renew_places(*node_, request->selection());
    return write_together(elements, nullptr, part, {}, nullptr);
  }
  if (chunks != 0) {
    if (pending != 0)
      if (const std::exception_ptr conflict = settle_chunks(file, &*node_))
        std::rethrow_exception(conflict);
    const BoundSelection nothing(dataspace(), Selection::none(), *node_);
    took("chunked", "each chunk is put together by one rank, or was written in place");
    return write_chunks_together(*node_, wrote_in_place ? nothing : request->selection(), stored);
  }
  took("none", "compact data is part of the metadata, which flush writes");
  // Compact data is replicated: each rank applies all parts, in the order of the ranks.
  std::vector<CompactWrite> parts;
  if (!equal) {
    for (const auto& packed : comm.all_gather(serialize({mine})))
      for (CompactWrite& w : deserialize_compact_writes(packed)) parts.push_back(std::move(w));
    agree(comm, [&] {
      for (const CompactWrite& w : parts) write_compact(*node_, w.part, w.bytes);
    });
  } else {
    write_compact(*node_, part, mine.bytes);
    parts.push_back(std::move(mine));
  }
  for (CompactWrite& w : parts) {
    w.dataset = node_->id();
    file.overwrite(std::move(w));
  }
}

void Dataset::write_equally(std::span<const std::byte> bytes, const Selection& part,
                            const std::optional<Datatype>& memory_type, const NewValues& values,
                            std::optional<Sharing> sharing) {
  FileState& file = *node_->file;
  const Sharing how = sharing_of(file, sharing);
  if (node_->is_local()) {
    require_there(*node_);
    require_changeable(*node_, "write_equal");
    return write_alone(bytes, nullptr, part, memory_type, values);
  }
  std::optional<Transfer> request;
  std::vector<std::byte> own;
  std::span<const std::byte> stored;
  Digest digest(part.digest());
  const auto pack = [&] {
    require_there(*node_);
    require_changeable(*node_, "write_equal");
    request.emplace(Direction::writing, *node_, bytes.size(), nullptr, part, memory_type);
    stored = request->pack(bytes, own);
    if (uses_heap(datatype())) {
      check_new_values(*node_, stored, values);
      digest.add(values.bytes());
    }
  };
  if (how == Sharing::verify || how == Sharing::serve)
    require_all_have(file, "write_equal", [&] {
      pack();
      return Digest(digest).add(node_->identity()).add(stored).value();
    });
  else
    pack();
  if (uses_heap(datatype())) stored = settled(*node_, stored, values, own);
  if (layout() == Layout::compact) {
    write_compact(*node_, part, stored);
    file.overwrite({node_->id(), part, {stored.begin(), stored.end()}});
  } else {
    if (needs_new_place(*node_)) {
      RenewedPlaces places(file);
      places.want(*node_, request->selection());
      places.renew_equally();
    }
    write_once(*node_, part, stored);
  }
  if (how != Sharing::trust)
    file.log.add("write", *node_, node_->name, [&] { return digest.add(stored); });
}

// --- with a memory layout, and without --------------------------------------------------------
void Dataset::read(std::span<std::byte> out, const Selection& part,
                   const std::optional<Datatype>& memory_type) const {
  read_alone(out, nullptr, part, memory_type);
}
void Dataset::read(std::span<std::byte> out, const MemoryLayout& layout, const Selection& part,
                   const std::optional<Datatype>& memory_type) const {
  read_alone(out, &layout, part, memory_type);
}
void Dataset::read_all(std::span<std::byte> out, const Selection& part,
                       const std::optional<Datatype>& memory_type,
                       std::optional<Sharing> sharing) const {
  read_together(*node_, out, nullptr, part, memory_type, sharing_of(*node_->file, sharing));
}
void Dataset::read_all(std::span<std::byte> out, const MemoryLayout& layout, const Selection& part,
                       const std::optional<Datatype>& memory_type,
                       std::optional<Sharing> sharing) const {
  read_together(*node_, out, &layout, part, memory_type, sharing_of(*node_->file, sharing));
}
void Dataset::fail_read_all(const std::exception_ptr& failure) const {
  fail_read_together(*node_, failure, sharing_of(*node_->file, {}));
}
void Dataset::write(std::span<const std::byte> bytes, const Selection& part,
                    const std::optional<Datatype>& memory_type) {
  write_alone(bytes, nullptr, part, memory_type);
}
void Dataset::write(std::span<const std::byte> bytes, const MemoryLayout& layout,
                    const Selection& part, const std::optional<Datatype>& memory_type) {
  write_alone(bytes, &layout, part, memory_type);
}
void Dataset::write_all(std::span<const std::byte> bytes, const Selection& part,
                        const std::optional<Datatype>& memory_type) {
  const NewValues none;
  write_together(bytes, nullptr, part, memory_type, &none);
}
void Dataset::write_all(std::span<const std::byte> bytes, const MemoryLayout& layout,
                        const Selection& part, const std::optional<Datatype>& memory_type) {
  const NewValues none;
  write_together(bytes, &layout, part, memory_type, &none);
}
void Dataset::fail_write_all(const std::exception_ptr& failure) {
  write_together({}, nullptr, {}, {}, nullptr, failure);
  std::rethrow_exception(failure);
}
void Dataset::write_equal(std::span<const std::byte> bytes, const Selection& part,
                          const std::optional<Datatype>& memory_type,
                          std::optional<Sharing> sharing) {
  write_equally(bytes, part, memory_type, {}, sharing);
}

// --- with values of variable length --------------------------------------------------------------
void Dataset::write(std::span<const std::byte> elements, const Selection& part,
                    const NewValues& values) {
  write_alone(elements, nullptr, part, {}, values);
}
void Dataset::write_all(std::span<const std::byte> elements, const Selection& part,
                        const NewValues& values) {
  write_together(elements, nullptr, part, {}, &values);
}
void Dataset::write_equal(std::span<const std::byte> elements, const Selection& part,
                          const NewValues& values, std::optional<Sharing> sharing) {
  write_equally(elements, part, {}, values, sharing);
}

void Dataset::resize(const Shape& shape) {
  FileState& file = *node_->file;
  require_there(*node_);
  file.require_editable();
  require_changeable(*node_, "resize");
  const DatasetInfo& info = node_->dataset();
  const auto reject = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, fmt::format("{}: resize: {}", node_->where(), what));
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
  node_->set_shape(shape);
  chunks.resize(node_->dataset().chunks->grid());
  file.log.add("resize", *node_, node_->name, Digest().add(std::as_bytes(std::span(shape))));
}

std::size_t Dataset::stored_count(const Datatype& memory_type) const {
  node_->file->require_open();
  const Conversion there_must_be_one(node_->dataset().type, memory_type, *node_);
  require_stored(*node_);
  return static_cast<std::size_t>(element_count());
}

}  // namespace onecast
