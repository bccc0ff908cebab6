#include "pages/boot_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "format/boot/superblock.hpp"
#include "format/objects/extension_messages.hpp"
#include "onecast/base/error.hpp"
#include "pages/draft_allocator.hpp"
#include "structures/header_writer.hpp"

namespace onecast::pages {
namespace {

using Kept = SuperblockExtension::Kept;

/// The entries for which a new extension has room, beside other messages.
constexpr std::size_t kRunsInMessage = 12;
constexpr std::size_t kStretchesInMessage = 8;

PageListMessage page_list_message(const Boot& boot, const PageAllocator& allocator,
                                  std::uint64_t generation) {
  PageListMessage message;
  message.flags = PageListMessage::kHasFreeSpace;
  if (allocator.leaves_page_ends()) message.flags |= PageListMessage::kLeavesPageEnds;
  message.page_size = allocator.page_size();
  message.generation = generation;
  message.end_of_file_address = boot.base + allocator.end();
  message.free_metadata = allocator.free_metadata();
  message.free_raw_data = allocator.free_raw_data();
  message.run_count = static_cast<std::uint32_t>(allocator.metadata_runs().size());
  if (boot.list.address.is_defined()) {
    message.flags |= PageListMessage::kRunsInBlock;
    message.block_address = boot.list.address;
    message.block_length = boot.list.length;
    message.block_room = boot.list.room;
  } else {
    message.runs = allocator.metadata_runs();
    message.free = allocator.free_stretches();
    message.free_count = static_cast<std::uint32_t>(message.free.size());
  }
  if (boot.extents.address.is_defined()) {
    message.flags |= PageListMessage::kHasExtents;
    message.extents_address = boot.extents.address;
    message.extents_length = boot.extents.length;
  }
  return message;
}

template <class R>
Kept keep(MessageType type, std::uint8_t flags, const R& record, const FileContext& file) {
  Kept kept{type, flags, std::vector<std::byte>(encoded_size(file, record))};
  ByteWriter out(kept.bytes);
  encode(out, file, record);
  return kept;
}

Kept keep_k(const BTreeKValuesMessage& k, const FileContext& file) {
  return keep(MessageType::btree_k_values, message_flag::kConstant | message_flag::kNotShareable, k,
              file);
}

/// Turns the tracking of free space off. A library that used the old free space would not know what
/// was added since; one that finds its free-space managers at the end of the file truncates the
/// file there.
void forget_free_space(Kept& kept, const FileContext& file) {
  auto info = decode<FileSpaceInfoMessage>(kept.bytes, Address{}, file);
  info.persist = false;
  info.end_of_allocated_space = Address{};
  constexpr std::uint8_t kOldAll = 2;
  if (info.version == 0 && info.old_strategy == FileSpaceInfoMessage::kOldAllPersist)
    info.old_strategy = kOldAll;
  kept = keep(kept.type, kept.flags, info, file);
}

ObjectHeaderPrefixV2 extension_prefix() {
  ObjectHeaderPrefixV2 prefix;
  prefix.flags = ObjectHeaderPrefixV2::chunk0_size_flags(kBootSize);
  return prefix;
}

/// The size of an extension whose page list has these numbers of entries.
std::uint64_t size_with(std::size_t runs, std::size_t stretches, const Boot& boot,
                        const FileContext& file) {
  PageListMessage list;
  list.flags = PageListMessage::kHasExtents | PageListMessage::kHasFreeSpace;
  list.runs.resize(runs);
  list.free.resize(stretches);
  constexpr std::size_t kHeader = MessageHeaderV2::size(false);
  std::uint64_t size =
      HeaderWriter::overhead(file, extension_prefix()) + kHeader + encoded_size(file, list);
  for (const Kept& k : boot.kept) size += kHeader + k.bytes.size();
  return size;
}

/// The size of a new extension.
std::uint64_t size_needed(const Boot& boot, const FileContext& file) {
  return size_with(kRunsInMessage, kStretchesInMessage, boot, file);
}

bool fits_in_extension(const Boot& boot, const PageAllocator& allocator, const FileContext& file) {
  return size_with(allocator.metadata_runs().size(), allocator.free_stretch_count(), boot, file) <=
         boot.extension.size;
}

std::uint64_t block_size(const PageAllocator& allocator) {
  return PageListBlock::size(allocator.metadata_runs().size(), allocator.free_stretch_count());
}

}  // namespace

std::uint64_t Boot::superblock_size(const FileContext& file) { return SuperblockV2::size(file); }

Boot Boot::of_new(const FileContext& file, std::uint64_t page_size, std::uint8_t version) {
  Boot boot;
  boot.version = version;
  const std::uint64_t size = superblock_size(file);
  boot.extension = {Address{size}, kBootSize - size};
  // HDF5 1.8 does not know file space info, and opens no file that has it.
  if (version < 3) {
    BTreeKValuesMessage k;
    k.indexed_storage_internal_node_k = node_k_of_new(version);
    boot.kept.push_back(keep_k(k, file));
    return boot;
  }
  FileSpaceInfoMessage space;
  space.page_size = page_size;
  boot.kept.push_back(
      keep(MessageType::file_space_info, message_flag::kMarkIfUnknown, space, file));
  return boot;
}

Boot Boot::of(const Superblock& superblock, const SuperblockExtension& extension,
              std::uint64_t base, const FileContext& file) {
  Boot boot;
  boot.version = std::max<std::uint8_t>(superblock.version, 2);
  boot.base = base;
  boot.kept = extension.others;
  for (Kept& k : boot.kept)
    if (k.type == MessageType::file_space_info) forget_free_space(k, file);
  const BTreeKValuesMessage standard;
  const BTreeKValuesMessage k{superblock.indexed_storage_internal_node_k,
                              superblock.group_internal_node_k, superblock.group_leaf_node_k};
  if (superblock.version < 2 &&
      (k.group_internal_node_k != standard.group_internal_node_k ||
       k.group_leaf_node_k != standard.group_leaf_node_k ||
       k.indexed_storage_internal_node_k != standard.indexed_storage_internal_node_k))
    boot.kept.push_back(keep_k(k, file));
  const auto& list = extension.page_list;
  if (!list) return boot;
  // Without a list, an extension of another program stays as it is.
  if (extension.block.address.is_defined() && extension.block.size >= size_needed(boot, file))
    boot.extension = extension.block;
  if (list->stale) return boot;
  const PageListMessage& message = list->message;
  if (message.has_extents()) boot.extents = {message.extents_address, message.extents_length, 0};
  if (message.runs_in_block())
    boot.list = {message.block_address, message.block_length, message.block_room};
  return boot;
}

bool may_stay_without_list(const Superblock& superblock, const SuperblockExtension& extension,
                           const FileContext& file) {
  // A list that is stale for another reason could become valid again by accident.
  if (extension.page_list && !extension.page_list->was_unknown) return false;
  for (const Kept& k : extension.others) {
    if (k.type != MessageType::file_space_info) continue;
    const auto info = decode<FileSpaceInfoMessage>(k.bytes, Address{}, file);
    const bool paged = info.version == 1 && info.strategy == FileSpaceStrategy::page;
    const bool kept = info.persist || (info.version == 0 &&
                                       info.old_strategy == FileSpaceInfoMessage::kOldAllPersist);
    if (paged || kept) return false;
  }
  // Superblocks of version 0 and 1 have no extension, which other K values would need.
  const BTreeKValuesMessage standard;
  return superblock.version >= 2 ||
         (superblock.group_internal_node_k == standard.group_internal_node_k &&
          superblock.group_leaf_node_k == standard.group_leaf_node_k &&
          superblock.indexed_storage_internal_node_k == standard.indexed_storage_internal_node_k);
}

std::uint64_t page_size_for(const SuperblockExtension& extension, const FileContext& file,
                            std::uint64_t wanted) {
  for (const Kept& k : extension.others) {
    if (k.type != MessageType::file_space_info) continue;
    const auto info = decode<FileSpaceInfoMessage>(k.bytes, Address{}, file);
    if (info.version == 1 && info.strategy == FileSpaceStrategy::page) return info.page_size;
  }
  if (extension.page_list) return extension.page_list->page_size();
  return wanted != 0 ? wanted : kPageSize;
}

void allocate_extension(Boot& boot, PageAllocator& allocator, const FileContext& file) {
  if (boot.extension.address.is_defined()) return;
  const std::uint64_t size = std::max(kBootSize, size_needed(boot, file));
  boot.extension = {allocator.metadata(size), size};
}

void allocate_page_list(Boot& boot, PageAllocator& allocator, const GivenBack& given_back,
                        const FileContext& file) {
  const BlockPlace old = std::exchange(boot.list, {});
  const auto give_back = [&](bool keeps_block) {
    for (const FileRange& r : given_back.raw_data) allocator.free_raw_data(r.address, r.size);
    for (const FileRange& r : given_back.metadata) allocator.free_metadata(r.address, r.size);
    for (const HeapRoom& room : given_back.heap_rooms) allocator.free_heap_room(room);
    if (!keeps_block && old.room != 0) allocator.free_metadata(old.address, old.room);
  };
  std::uint64_t size = 0;
  {
    DraftAllocator draft(allocator);
    give_back(false);
    if (!allocator.is_paged() || fits_in_extension(boot, allocator, file)) return draft.keep();
    size = block_size(allocator);
  }
  // Allocation the block may add a run and split two stretches.
  constexpr std::uint64_t kMore =
      2 * MetadataPageRun::kSize + std::uint64_t{4} * FreeStretch::kSize;
  constexpr std::uint64_t kMostUnused = 4;
  const std::uint64_t room = std::bit_ceil(std::max(size + kMore, kBootSize));
  const bool fits = old.room >= room && old.room <= kMostUnused * room;
  boot.list = fits ? old : BlockPlace{allocator.metadata(room), 0, room};
  give_back(fits);
  boot.list.length = block_size(allocator);
}

void write_consistency_flags(Transport& transport, std::uint64_t base, std::uint8_t flags,
                             const FileContext& file) {
  std::vector<std::byte> bytes(SuperblockV2::size(file));
  if (transport.read_at(base, bytes) != bytes.size())
    throw Error(ErrorCode::io, fmt::format("{}: the file became shorter", file.name));
  auto superblock = decode<SuperblockV2>(bytes, Address{base}, file);
  superblock.file_consistency_flags = flags;
  superblock.end_of_file = Address{std::max(superblock.end_of_file.value, transport.size())};
  ByteWriter out(bytes);
  encode(out, file, superblock);
  transport.write_at(base, bytes);
}

bool has_modern_form(ByteView superblock) {
  return superblock[kFormatSignature.size()] >= std::byte{2};
}

void encode_superblock(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                       Address root, const PageAllocator& allocator) {
  SuperblockV2 superblock;
  superblock.version = boot.version;
  if (boot.is_for_readers)
    superblock.file_consistency_flags =
        consistency_flag::kOpenForWriting | consistency_flag::kOpenForSwmr;
  superblock.size_of_offsets = file.size_of_offsets;
  superblock.size_of_lengths = file.size_of_lengths;
  superblock.base_address = Address{boot.base};
  superblock.extension = boot.extension.address;
  superblock.end_of_file = Address{boot.base + allocator.end()};
  superblock.root_group_header = root;
  ByteWriter writer(out);
  encode(writer, file, superblock);
}

void encode_extension(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                      const PageAllocator& allocator, std::uint64_t generation) {
  HeaderWriter header(out, file, extension_prefix());
  for (const Kept& k : boot.kept) header.add(k.type, k.flags, ByteView(k.bytes));
  const std::uint8_t flags =
      message_flag::kMarkIfUnknown | (boot.is_for_readers ? message_flag::kWasUnknown : 0);
  header.add(MessageType::page_list, flags, page_list_message(boot, allocator, generation));
  header.finish();
}

void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation) {
  PageListBlock block;
  block.generation = generation;
  block.runs = allocator.metadata_runs();
  block.has_free_space = true;
  block.free = allocator.free_stretches();
  ByteWriter writer(out.first(encoded_size(file, block)));
  encode(writer, file, block);
}

void encode_extents(std::span<std::byte> out, const FileContext& file,
                    const std::vector<FileRange>& extents) {
  MetadataExtentsBlock block;
  for (const FileRange& e : extents) block.extents.push_back({e.address, e.size});
  ByteWriter writer(out);
  encode(writer, file, block);
}

}  // namespace onecast::pages
