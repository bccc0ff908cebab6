#include "pages/metadata_store.hpp"

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "comm/node/node_broadcast.hpp"
#include "pages/boot_page.hpp"
#include "pages/load.hpp"
#include "pages/recording_source.hpp"

namespace onecast::pages {

MetadataStore::MetadataStore(Transport& transport, std::string name) : transport_(transport) {
  file_.name = std::move(name);
}

std::unique_ptr<MetadataStore> MetadataStore::load(CommunicatorBackend& comm, Transport& transport,
                                                   const std::string& name,
                                                   const LoadOptions& options,
                                                   std::uint64_t& number) {
  std::unique_ptr<MetadataStore> store(new MetadataStore(transport, name));
  store->is_for_readers_ = options.for_readers;
  NodeBuffer payload = broadcast_to_nodes(comm, [&] {
    if (options.number_if_open)
      if (const std::uint64_t open = options.number_if_open()) return pack_open(open);
    return store->read_soundly([&] {
      return read_for_all(transport, store->file_, options, comm.size(), store->blocks_);
    });
  });
  LoadHeader header;
  std::memcpy(&header, payload.data(), sizeof header);
  number = header.number;
  if (header.is_open != 0) return nullptr;
  store->take_payload(std::move(payload));
  return store;
}

std::unique_ptr<MetadataStore> MetadataStore::empty(Transport& transport, const std::string& name,
                                                    std::uint16_t node_k, std::uint64_t base) {
  std::unique_ptr<MetadataStore> store(new MetadataStore(transport, name));
  store->base_ = base;
  store->superblock_.base_address = Address{base};
  store->superblock_.indexed_storage_internal_node_k = node_k;
  store->blocks_ = std::make_unique<BlockCache>(store->file_, transport, base, 0);
  store->complete_ = true;
  return store;
}

void MetadataStore::take_payload(NodeBuffer payload) {
  LoadHeader header;
  std::memcpy(&header, payload.data(), sizeof header);
  base_ = header.base;
  file_size_ = header.file_size;
  load_reads_ = header.reads;
  small_data_ = header.small_data_bytes;
  complete_ = header.complete != 0;
  overlaid_ = header.overlaid != 0;
  identity_ = header.identity;
  stripes_ = header.stripes;
  folder_ = header.folder;
  stamp_ = header.stamp;
  is_of_empty_file_ = header.is_empty != 0;
  if (is_of_empty_file_) return;
  add_ranges(std::move(payload));

  // Rank 0 decoded the same bytes before, so this cannot fail; only a file that is written for
  // readers is read again.
  read_soundly([&] { take_boot(header.superblock_size); });
}

void MetadataStore::take_boot(std::uint64_t superblock_size) {
  const Address start{0};
  const std::uint64_t size = superblock_size;
  const ByteView boot = blocks_
                            ? blocks_->view(start, size, "Superblock")
                            : ByteView(loaded_.find(start, size).value_or(std::span<std::byte>{}));
  superblock_ = decode_superblock(boot, Address{base_}, file_);
  if (grows_behind_its_end(superblock_)) end_at(superblock_, file_size_ - base_);
  if (!blocks_) {
    const std::uint64_t end =
        superblock_.end_of_file_address.value - superblock_.base_address.value;
    blocks_ = std::make_unique<BlockCache>(file_, transport_, base_, end);
  }
  extension_ = read_extension(*this, superblock_);
  if (const auto& k = extension_.btree_k_values) {
    superblock_.group_leaf_node_k = k->group_leaf_node_k;
    superblock_.group_internal_node_k = k->group_internal_node_k;
    superblock_.indexed_storage_internal_node_k = k->indexed_storage_internal_node_k;
  }
  const auto& list = extension_.page_list;
  // A page that is written for readers may change between two of its objects: their checksums
  // decide.
  if (!complete_ && !is_for_readers_ && list && !list->stale && !extension_.cache_image)
    checked_ = CheckedPages(*list);
}

/// Notes bytes of `memory` that this rank keeps for its node.
void MetadataStore::add_for_node(Address address, std::span<const std::byte> bytes,
                                 NodeBuffer& memory) {
  if (memory.of_all_ranks().empty()) return;
  const auto at = static_cast<std::size_t>(bytes.data() - memory.data());
  for_node_.add(address, memory.of_all_ranks().subspan(at, bytes.size()));
}

void MetadataStore::hold(NodeBuffer bytes, std::uint64_t used) {
  held_ += used;
  if (bytes.is_shared()) shared_ += used;
  buffers_.push_back(std::move(bytes));
}

void MetadataStore::add_ranges(NodeBuffer payload) {
  LoadHeader header;
  std::memcpy(&header, payload.data(), sizeof header);
  const std::byte* pairs = payload.data() + sizeof header;
  std::byte* bytes = payload.data() + sizeof header +
                     static_cast<std::size_t>(header.range_count) * 2 * sizeof(std::uint64_t);
  const std::byte* mark = payload.end() - header.page_marks;
  for (std::uint64_t i = 0; i < header.range_count; ++i) {
    std::uint64_t pair[2];
    std::memcpy(pair, pairs + i * sizeof pair, sizeof pair);
    loaded_.add(Address{pair[0]}, {bytes, static_cast<std::size_t>(pair[1])});
    add_for_node(Address{pair[0]}, {bytes, static_cast<std::size_t>(pair[1])}, payload);
    bytes += pair[1];
    for_each_page({Address{pair[0]}, pair[1]}, header.page_size, [&](Address page) {
      if (*mark++ == std::byte{0}) return;
      // Adjacent pages are joined at once, since a large file has very many.
      if (!sealed_.empty() && sealed_.back().address + sealed_.back().size == page)
        sealed_.back().size += header.page_size;
      else
        sealed_.push_back({page, header.page_size});
    });
  }
  merge_ranges(sealed_, 0);
  const std::uint64_t size = payload.size();
  hold(std::move(payload), size);
}

ByteView MetadataStore::view(Address address, std::uint64_t length, const char* what) {
  if (const auto known = loaded_.find(address, length)) return *known;
  if (is_loaded(address, length)) return stitched(address, length, what);
  return blocks_->view(address, length, what);
}

bool MetadataStore::is_verified(Address address, std::uint64_t length) const {
  const auto next = std::upper_bound(sealed_.begin(), sealed_.end(), address,
                                     [](Address a, const FileRange& r) { return a < r.address; });
  if (next != sealed_.begin()) {
    const FileRange& range = *std::prev(next);
    const std::uint64_t before = address.value - range.address.value;
    if (before < range.size && length <= range.size - before) return true;
  }
  return !is_loaded(address, length) && checked_.is_sealed(*blocks_, address, length);
}

/// True if loaded_ has any of these bytes.
bool MetadataStore::is_loaded(Address address, std::uint64_t length) const {
  if (loaded_.extents().empty()) return false;
  const Address next = loaded_.next_after(address);
  return loaded_.holding(address) != nullptr ||
         (next.is_defined() && next.value - address.value < length);
}

ByteView MetadataStore::view_from(Address address, std::uint64_t length, const char* what) {
  if (loaded_.extents().empty()) return blocks_->view_from(address, length, what);
  const ByteView known = loaded_.rest_from(address);
  if (length <= known.size()) return known;
  if (!known.empty()) return view(address, length, what);
  // Bytes in loaded_ may be newer than those in blocks_.
  const Address next = loaded_.next_after(address);
  const std::uint64_t most = next.is_defined() ? next.value - address.value : UINT64_MAX;
  if (length > most) return view(address, length, what);
  const ByteView read = blocks_->view_from(address, length, what);
  return read.first(static_cast<std::size_t>(std::min<std::uint64_t>(read.size(), most)));
}

ByteView MetadataStore::stitched(Address address, std::uint64_t length, const char* what) {
  const std::scoped_lock lock(stitching_);
  const auto found = stitched_.find({address.value, length});
  if (found != stitched_.end()) return found->second.span();
  return stitched_.emplace(std::pair{address.value, length}, gather(address, length, what))
      .first->second.span();
}

/// Bytes in loaded_ may be newer than those in blocks_.
Buffer MetadataStore::gather(Address address, std::uint64_t length, const char* what) {
  std::vector<ByteView> parts;
  for (std::uint64_t done = 0; done < length;) {
    const Address at = address + done;
    if (const auto* known = loaded_.holding(at)) {
      const std::uint64_t skip = at.value - known->address.value;
      const auto n = static_cast<std::size_t>(std::min(known->size - skip, length - done));
      parts.emplace_back(known->data + skip, n);
    } else {
      const Address next = loaded_.next_after(at);
      const std::uint64_t rest = length - done;
      parts.push_back(blocks_->view(
          at, next.is_defined() ? std::min(next.value - at.value, rest) : rest, what));
    }
    done += parts.back().size();
  }
  // Allocates only now, when it is certain that the bytes exist.
  Buffer bytes(static_cast<std::size_t>(length));
  std::byte* out = bytes.data();
  for (const ByteView part : parts) out = std::copy(part.begin(), part.end(), out);
  return bytes;
}

std::optional<ByteView> MetadataStore::find_data(Address address, std::uint64_t length) const {
  if (small_data_ == 0) return std::nullopt;
  if (const auto known = loaded_.find(address, length)) return *known;
  return std::nullopt;
}

void MetadataStore::patch(Address address, std::span<std::byte> bytes) const {
  if (!extension_.cache_image) return;
  loaded_.for_each_part(
      address, bytes,
      [](const std::byte* known, std::span<std::byte> part) {
        std::memcpy(part.data(), known, part.size());
      },
      [](Address, std::span<std::byte>) {});
}

void MetadataStore::prefetch(CommunicatorBackend& comm, const std::function<Address()>& resolve,
                             const WalkLimits& limits) {
  NodeBuffer payload = broadcast_to_nodes(comm, [&] {
    const Address start = resolve();
    WalkResult walk;
    // An object that was never flushed has no address, and is in memory.
    if (start.is_defined())
      walk = walk_metadata(*blocks_, start, limits, extension_.shared_messages);
    std::vector<FileRange> missing;
    for (FileRange r : walk.ranges) {
      const Address end = r.address + r.size;
      while (r.address < end) {
        if (const auto* known = loaded_.holding(r.address)) {
          r.address = known->address + known->size;
          continue;
        }
        const Address next = std::min(end, loaded_.next_after(r.address));
        missing.push_back({r.address, next.value - r.address.value});
        r.address = next;
      }
    }
    LoadHeader header;
    header.small_data_bytes = walk.small_data_bytes;
    header.complete =
        walk.complete && limits.recursive && start == superblock_.root_header_address ? 1 : 0;
    return pack_from(*blocks_, header, missing, comm.size());
  });
  LoadHeader header;
  std::memcpy(&header, payload.data(), sizeof header);
  small_data_ += header.small_data_bytes;
  complete_ = complete_ || header.complete != 0;
  add_ranges(std::move(payload));
}

/// Walks again, since the bytes of a file must not depend on the options of the load.
std::vector<FileRange> MetadataStore::walk_of(BlockCache& blocks) const {
  const std::uint64_t size = std::min<std::uint64_t>(kMaxSuperblockSize, blocks.end());
  FileContext file = file_;
  const Superblock superblock =
      decode_superblock(blocks.view(Address{0}, size, "Superblock"), Address{base_}, file);
  RecordingSource boot(blocks);
  const SuperblockExtension extension = read_extension(boot, superblock);
  std::vector<FileRange> all = boot.take();
  const WalkResult walk = walk_metadata(
      blocks, superblock.root_header_address,
      {UINT64_MAX, 0, true, indexed_storage_k(superblock, extension)}, extension.shared_messages);
  all.insert(all.end(), walk.ranges.begin(), walk.ranges.end());
  all.push_back({Address{0}, size});
  merge_ranges(all, 0);
  return all;
}

std::vector<FileRange> MetadataStore::metadata_extents(CommunicatorBackend& comm) {
  const Buffer payload = broadcast_from_root(comm, 0, [&] {
    std::vector<FileRange> all;
    if (was_changed_) {
      BlockCache as_it_is(file_, transport_, base_, transport_.size() - base_);
      all = walk_of(as_it_is);
    } else {
      all = walk_of(*blocks_);
    }
    Buffer bytes(all.size() * sizeof(FileRange));
    std::memcpy(bytes.data(), all.data(), bytes.size());
    return bytes;
  });
  std::vector<FileRange> found(payload.size() / sizeof(FileRange));
  std::memcpy(found.data(), payload.data(), payload.size());
  return found;
}

}  // namespace onecast::pages
