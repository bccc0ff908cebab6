#include "pages/boot_page.hpp"

#include <algorithm>
#include <bit>

#include "format/boot/superblock.hpp"
#include "format/objects/extension_messages.hpp"
#include "structures/header_writer.hpp"

namespace onecast {
namespace {

using Kept = SuperblockExtension::Kept;

/// Runs that surely fit into the extension.
constexpr std::size_t kRunsInMessage = 24;

PageListMessage page_list_message(const Boot& boot, const PageAllocator& allocator,
                                  std::uint64_t generation,
                                  const std::optional<BlockPlace>& place) {
  PageListMessage message;
  message.page_size = allocator.page_size();
  message.generation = generation;
  message.end_of_file_address = boot.base + allocator.end();
  message.free_metadata = allocator.free_metadata();
  message.free_raw_data = allocator.free_raw_data();
  message.run_count = static_cast<std::uint32_t>(allocator.metadata_runs().size());
  if (place) {
    message.flags = PageListMessage::kRunsInBlock;
    message.block_address = place->address;
    message.block_length = place->length;
  } else {
    message.runs = allocator.metadata_runs();
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

/// A library that took free space again would not know what was added since; and one that finds its
/// free-space managers at the end of the file cuts them off.
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

/// Of the extension, with as many runs as fit there.
std::uint64_t size_needed(const Boot& boot, const FileContext& file) {
  PageListMessage list;
  list.flags = PageListMessage::kHasExtents;
  list.runs.resize(kRunsInMessage);
  constexpr std::size_t kHeader = MessageHeaderV2::size(false);
  std::uint64_t size =
      HeaderWriter::overhead(file, extension_prefix()) + kHeader + encoded_size(file, list);
  for (const Kept& k : boot.kept) size += kHeader + k.bytes.size();
  return size;
}

}  // namespace

std::uint64_t Boot::superblock_size(const FileContext& file) { return SuperblockV2::size(file); }

Boot Boot::of_new(const FileContext& file, std::uint64_t page_size, std::uint8_t version) {
  Boot boot;
  boot.version = version;
  const std::uint64_t size = superblock_size(file);
  boot.extension = {Address{size}, kBootSize - size};
  // HDF5 1.8 does not know the message, and opens no file that has it.
  if (version < 3) return boot;
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
    boot.kept.push_back(keep(MessageType::btree_k_values,
                             message_flag::kConstant | message_flag::kNotShareable, k, file));
  const auto& list = extension.page_list;
  if (!list) return boot;
  // Without the list, some other program's extension is its own affair.
  if (extension.block.address.is_defined() && extension.block.size >= size_needed(boot, file))
    boot.extension = extension.block;
  if (!list->stale && list->message.has_extents())
    boot.extents = {list->message.extents_address, list->message.extents_length};
  return boot;
}

std::uint64_t page_size_for(const SuperblockExtension& extension, const FileContext& file,
                            std::uint64_t wanted, std::uint64_t file_size) {
  for (const Kept& k : extension.others) {
    if (k.type != MessageType::file_space_info) continue;
    const auto info = decode<FileSpaceInfoMessage>(k.bytes, Address{}, file);
    if (info.version == 1 && info.strategy == FileSpaceStrategy::page) return info.page_size;
  }
  if (extension.page_list) return extension.page_list->page_size();
  if (wanted != 0) return wanted;
  constexpr std::uint64_t kPages = 256;  // what is added should not make the file much larger
  return std::clamp(std::bit_ceil(file_size / kPages), std::uint64_t{4096},
                    std::uint64_t{1} << 20U);
}

void place_extension(Boot& boot, PageAllocator& allocator, const FileContext& file) {
  if (boot.extension.address.is_defined()) return;
  const std::uint64_t size = std::max(kBootSize, size_needed(boot, file));
  boot.extension = {allocator.metadata(size), size};
}

std::optional<BlockPlace> place_page_list(PageAllocator& allocator) {
  if (allocator.metadata_runs().size() <= kRunsInMessage) return std::nullopt;
  // The block itself may need one page more, which may be a run of its own.
  const std::uint64_t size = PageListBlock::size(allocator.metadata_runs().size() + 1);
  const Address address = allocator.metadata(size);
  return BlockPlace{address, PageListBlock::size(allocator.metadata_runs().size())};
}

void encode_superblock(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                       Address root, const PageAllocator& allocator) {
  SuperblockV2 superblock;
  superblock.version = boot.version;
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
                      const PageAllocator& allocator, std::uint64_t generation,
                      const std::optional<BlockPlace>& place) {
  HeaderWriter header(out, file, extension_prefix());
  for (const Kept& k : boot.kept) header.add(k.type, k.flags, ByteView(k.bytes));
  header.add(MessageType::page_list, message_flag::kMarkIfUnknown,
             page_list_message(boot, allocator, generation, place));
  header.finish();
}

void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation) {
  PageListBlock block;
  block.generation = generation;
  block.runs = allocator.metadata_runs();
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

}  // namespace onecast
