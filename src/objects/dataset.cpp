#include "onecast/objects/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "objects/external_data.hpp"
#include "objects/file_state.hpp"
#include "objects/raw_data.hpp"
#include "objects/strings.hpp"
#include "objects/transfer.hpp"
#include "objects/virtual_storage.hpp"
#include "onecast/objects/variable_values.hpp"

namespace onecast {

using Direction = Transfer::Direction;

void write_once(Node& dataset, const Selection& part, std::span<const std::byte> bytes) {
  FileState& file = *dataset.file;
  require_contiguous(dataset);
  if (file.comm().rank() != 0) return;
  // Rank 0 must not throw where the others go on: all hear of it at the next flush.
  try {
    write_contiguous(dataset, BoundSelection(dataset.dataset().space, part, dataset), bytes);
  } catch (const Error&) {
    if (!file.deferred) file.deferred = std::current_exception();
  }
}

const Datatype& Dataset::datatype() const { return node_->dataset().type; }
const Dataspace& Dataset::dataspace() const { return node_->dataset().space; }
std::uint64_t Dataset::element_count() const { return node_->dataset().space.element_count(); }
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

void Dataset::read_together(std::span<std::byte> out, const MemoryLayout* memory,
                            const Selection& part,
                            const std::optional<Datatype>& memory_type) const {
  CommunicatorBackend& comm = node_->file->comm();
  std::optional<Transfer> request;
  std::exception_ptr failure;
  Digest wanted(part.digest());
  try {
    request.emplace(Direction::reading, *node_, out.size(), memory, part, memory_type);
    const DatasetInfo& info = node_->dataset();
    wanted.add(request->packed_size())
        .add(node_->identity())
        .add(static_cast<std::uint64_t>(info.layout));
  } catch (...) {
    failure = std::current_exception();
  }
  std::uint64_t failed[] = {failure ? 1U : 0U};
  // Ranks may ask for different datasets, too.
  const bool equal = compare_digest(comm, wanted.value(), failed);
  if (failed[0] != 0 || !equal || comm.size() == 1 || request->packed_size() == 0 ||
      is_in_memory(*node_)) {
    agree(comm, [&] {
      if (failure) std::rethrow_exception(failure);
      request->read(out);
    });
    return;
  }
  // Everyone wants the same: one reads, all hear.
  request->unpack(broadcast_from_root(comm, 0, [&] { return request->read_packed(); }), out);
}

void Dataset::write_alone(std::span<const std::byte> bytes, const MemoryLayout* memory,
                          const Selection& part, const std::optional<Datatype>& memory_type) {
  node_->file->require_writable();
  const Transfer request(Direction::writing, *node_, bytes.size(), memory, part, memory_type);
  std::vector<std::byte> own;
  const auto stored = request.pack(bytes, own);
  if (layout() != Layout::compact) return write_contiguous(*node_, request.selection(), stored);
  write_compact(*node_, part, stored);
  node_->file->remember({path(), part, {stored.begin(), stored.end()}});
}

void Dataset::write_together(std::span<const std::byte> bytes, const MemoryLayout* memory,
                             const Selection& part, const std::optional<Datatype>& memory_type) {
  FileState& file = *node_->file;
  CommunicatorBackend& comm = file.comm();
  CompactWrite mine;
  std::exception_ptr failure;
  // Largest of all ranks: failed, compact, other storage, the object and its complement.
  std::uint64_t news[] = {0, 0, 0, node_->identity(), ~node_->identity()};
  try {
    file.require_writable();
    const Transfer request(Direction::writing, *node_, bytes.size(), memory, part, memory_type);
    std::vector<std::byte> own;
    const auto stored = request.pack(bytes, own);
    if (layout() == Layout::compact) {
      file.require_editable();
      mine = {path(), part, {stored.begin(), stored.end()}};
      news[1] = 1;
    } else {
      write_contiguous(*node_, request.selection(), stored);
      news[2] = 1;
    }
  } catch (...) {
    failure = std::current_exception();
    news[0] = 1;
  }
  const bool equal = compare_digest(comm, Digest(part.digest()).add(mine.bytes).value(), news);
  const auto [failed, compact, other, identity, complement] = news;
  if (failed != 0)
    agree(comm, [&] {
      if (failure) std::rethrow_exception(failure);
    });
  if (compact == 0) return;
  if (other != 0 || identity != ~complement)
    throw Error(ErrorCode::diverged,
                fmt::format("{}: write_all: ranks write different datasets, one of them compact",
                            file.path));
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
    w.path = path();
    file.overwrite(std::move(w));
  }
}

void Dataset::write_equal(std::span<const std::byte> bytes, const Selection& part,
                          const std::optional<Datatype>& memory_type) {
  node_->file->require_writable();
  const Transfer request(Direction::writing, *node_, bytes.size(), nullptr, part, memory_type);
  std::vector<std::byte> own;
  const auto stored = request.pack(bytes, own);
  if (layout() == Layout::compact) {
    write_compact(*node_, part, stored);
    node_->file->overwrite({path(), part, {stored.begin(), stored.end()}});
  } else {
    write_once(*node_, part, stored);
  }
  node_->file->log.add("write", *node_, node_->name, Digest(part.digest()).add(stored));
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
                       const std::optional<Datatype>& memory_type) const {
  read_together(out, nullptr, part, memory_type);
}
void Dataset::read_all(std::span<std::byte> out, const MemoryLayout& layout, const Selection& part,
                       const std::optional<Datatype>& memory_type) const {
  read_together(out, &layout, part, memory_type);
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
  write_together(bytes, nullptr, part, memory_type);
}
void Dataset::write_all(std::span<const std::byte> bytes, const MemoryLayout& layout,
                        const Selection& part, const std::optional<Datatype>& memory_type) {
  write_together(bytes, &layout, part, memory_type);
}

std::size_t Dataset::stored_count(const Datatype& memory_type) const {
  node_->file->require_open();
  const Conversion there_must_be_one(node_->dataset().type, memory_type, *node_);
  require_stored(*node_);
  return static_cast<std::size_t>(element_count());
}

std::vector<std::string> Dataset::read_strings() const {
  const DatasetInfo& info = node_->dataset();
  std::vector<std::byte> bytes(stored_count(info.type) * info.type.size());
  read(bytes);
  return VariableValues(*this).strings(info.type, bytes);
}

}  // namespace onecast
