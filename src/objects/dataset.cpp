#include "onecast/objects/dataset.hpp"

#include <fmt/format.h>

#include <cstring>

#include "comm/agreement.hpp"
#include "objects/datatype_codec.hpp"
#include "objects/file_state.hpp"
#include "objects/raw_data.hpp"
#include "objects/strings.hpp"

namespace onecast {
namespace {

/// A read or write, checked.
struct Request {
  Node& node;
  Selection selection;
  bool swap;

  Request(Node& dataset, std::size_t size, const std::optional<Hyperslab>& part,
          const std::optional<Datatype>& memory_type)
      : node(checked(dataset)),
        selection(part ? Selection(dataset.dataset().space, part, dataset.where())
                       : Selection(dataset.dataset().space)),
        swap(false) {
    const DatasetInfo& info = dataset.dataset();
    if (memory_type) swap = must_swap(info.type, *memory_type, dataset.where());
    const std::uint64_t count = selection.element_count();
    if (count > UINT64_MAX / info.type.size() || size != count * info.type.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{}: buffer: {} elements of {} bytes expected, {} bytes given",
                              dataset.where(), count, info.type.size(), size));
  }

  void read(std::span<std::byte> out) {
    read_selected(node, selection, out);
    if (swap) swap_bytes(out, node.dataset().type.size());
  }

 private:
  static Node& checked(Node& dataset) {
    dataset.file->require_open();
    return dataset;
  }
};

std::uint64_t digest_of(const std::optional<Hyperslab>& part) {
  Digest d;
  if (!part) return d.value();
  for (const Shape* s : {&part->start, &part->count, &part->stride, &part->block})
    d.add(std::as_bytes(std::span(*s)));
  return d.value();
}

/// The bytes as they are stored.
class StoredBytes {
 public:
  StoredBytes(const Request& request, std::span<const std::byte> bytes) : bytes_(bytes) {
    if (!request.swap) return;
    swapped_.assign(bytes.begin(), bytes.end());
    swap_bytes(swapped_, request.node.dataset().type.size());
    bytes_ = swapped_;
  }
  [[nodiscard]] std::span<const std::byte> get() const { return bytes_; }

 private:
  std::vector<std::byte> swapped_;
  std::span<const std::byte> bytes_;
};

}  // namespace

void write_once(Node& dataset, const std::optional<Hyperslab>& part,
                std::span<const std::byte> bytes) {
  FileState& file = *dataset.file;
  require_contiguous(dataset);
  if (file.comm().rank() != 0) return;
  // Rank 0 must not throw where the others go on: all hear of it at the next flush.
  try {
    write_contiguous(dataset, Selection(dataset.dataset().space, part, dataset.where()), bytes);
  } catch (const Error&) {
    if (!file.deferred) file.deferred = std::current_exception();
  }
}

Datatype Dataset::datatype() const { return node_->dataset().type; }
Dataspace Dataset::dataspace() const { return node_->dataset().space; }
std::uint64_t Dataset::element_count() const { return node_->dataset().space.element_count(); }
Layout Dataset::layout() const { return node_->dataset().layout; }
Shape Dataset::chunk_shape() const { return node_->dataset().chunk; }

void Dataset::read(std::span<std::byte> out, const std::optional<Hyperslab>& part,
                   const std::optional<Datatype>& memory_type) const {
  Request(*node_, out.size(), part, memory_type).read(out);
}

void Dataset::read_all(std::span<std::byte> out, const std::optional<Hyperslab>& part,
                       const std::optional<Datatype>& memory_type) const {
  CommunicatorBackend& comm = node_->file->comm();
  std::optional<Request> request;
  std::exception_ptr failure;
  Digest wanted(digest_of(part));
  try {
    request.emplace(*node_, out.size(), part, memory_type);
    const DatasetInfo& info = node_->dataset();
    wanted.add(out.size()).add(info.address.value).add(static_cast<std::uint64_t>(info.layout));
  } catch (...) {
    failure = std::current_exception();
  }
  std::uint64_t failed[] = {failure ? 1U : 0U};
  // Ranks may ask for different datasets, too.
  const bool equal = compare_digest(comm, wanted.value(), failed);
  if (failed[0] != 0 || !equal || comm.size() == 1 || out.empty() || is_in_memory(*node_)) {
    agree(comm, [&] {
      if (failure) std::rethrow_exception(failure);
      request->read(out);
    });
    return;
  }
  // Everyone wants the same: one reads, all hear.
  const Buffer bytes = broadcast_from_root(comm, 0, [&] {
    Buffer b(out.size());
    read_selected(*node_, request->selection, b.span());
    return b;
  });
  std::memcpy(out.data(), bytes.data(), out.size());
  if (request->swap) swap_bytes(out, node_->dataset().type.size());
}

void Dataset::write(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part,
                    const std::optional<Datatype>& memory_type) {
  node_->file->require_writable();
  const Request request(*node_, bytes.size(), part, memory_type);
  const StoredBytes stored(request, bytes);
  if (layout() != Layout::compact) return write_contiguous(*node_, request.selection, stored.get());
  write_compact(*node_, part, stored.get());
  node_->file->remember({path(), part, {stored.get().begin(), stored.get().end()}});
}

void Dataset::write_all(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part,
                        const std::optional<Datatype>& memory_type) {
  FileState& file = *node_->file;
  CommunicatorBackend& comm = file.comm();
  CompactWrite mine;
  std::exception_ptr failure;
  // Largest of all ranks: failed, compact, other storage, the object and its complement.
  std::uint64_t news[] = {0, 0, 0, node_->identity(), ~node_->identity()};
  try {
    file.require_writable();
    const Request request(*node_, bytes.size(), part, memory_type);
    const StoredBytes stored(request, bytes);
    if (layout() == Layout::compact) {
      file.require_editable();
      mine = {path(), part, {stored.get().begin(), stored.get().end()}};
      news[1] = 1;
    } else {
      write_contiguous(*node_, request.selection, stored.get());
      news[2] = 1;
    }
  } catch (...) {
    failure = std::current_exception();
    news[0] = 1;
  }
  const bool equal = compare_digest(comm, Digest(digest_of(part)).add(mine.bytes).value(), news);
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

void Dataset::write_equal(std::span<const std::byte> bytes, const std::optional<Hyperslab>& part,
                          const std::optional<Datatype>& memory_type) {
  node_->file->require_writable();
  const Request request(*node_, bytes.size(), part, memory_type);
  const StoredBytes stored(request, bytes);
  if (layout() == Layout::compact) {
    write_compact(*node_, part, stored.get());
    node_->file->overwrite({path(), part, {stored.get().begin(), stored.get().end()}});
  } else {
    write_once(*node_, part, stored.get());
  }
  node_->file->log.add("write", *node_, node_->name, Digest(digest_of(part)).add(stored.get()));
}

std::size_t Dataset::stored_count(const Datatype& memory_type) const {
  node_->file->require_open();
  must_swap(node_->dataset().type, memory_type, node_->where());
  require_stored(*node_);
  return static_cast<std::size_t>(element_count());
}

std::vector<std::string> Dataset::read_strings() const {
  const DatasetInfo& info = node_->dataset();
  std::vector<std::byte> bytes(stored_count(info.type) * info.type.size());
  read(bytes);
  return decode_strings(*node_->file, info.type, bytes, node_->where());
}

}  // namespace onecast
