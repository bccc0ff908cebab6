#include "pages/boot_page.hpp"

#include "format/boot/superblock.hpp"
#include "format/objects/extension_messages.hpp"
#include "structures/header_writer.hpp"

namespace onecast {
namespace {

/// Runs that surely fit into the extension.
constexpr std::size_t kRunsInMessage = 24;

PageListMessage page_list_message(const PageAllocator& allocator, std::uint64_t generation,
                                  const std::optional<PageListPlace>& place) {
  PageListMessage message;
  message.page_size = allocator.page_size();
  message.generation = generation;
  message.end_of_file_address = allocator.end();
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
  return message;
}

}  // namespace

std::optional<PageListPlace> place_page_list(PageAllocator& allocator) {
  if (allocator.metadata_runs().size() <= kRunsInMessage) return std::nullopt;
  // The block itself may need one page more, which may be a run of its own.
  const std::uint64_t size = PageListBlock::size(allocator.metadata_runs().size() + 1);
  const Address address = allocator.metadata(size);
  return PageListPlace{address, PageListBlock::size(allocator.metadata_runs().size())};
}

void encode_boot(std::span<std::byte> out, const FileContext& file, const BootContents& contents,
                 const PageAllocator& allocator, const std::optional<PageListPlace>& place) {
  SuperblockV2 superblock;
  superblock.version = contents.superblock_version;
  const std::size_t superblock_size = SuperblockV2::size(file);
  superblock.extension = Address{superblock_size};
  superblock.end_of_file = Address{allocator.end()};
  superblock.root_group_header = contents.root;
  ByteWriter boot(out.first(superblock_size));
  encode(boot, file, superblock);

  FileSpaceInfoMessage space;
  space.page_size = allocator.page_size();
  const PageListMessage list = page_list_message(allocator, contents.generation, place);
  ObjectHeaderPrefixV2 prefix;
  prefix.flags = ObjectHeaderPrefixV2::chunk0_size_flags(kBootSize);
  HeaderWriter header(out.subspan(superblock_size), file, prefix);
  header.add(MessageType::file_space_info, message_flag::kMarkIfUnknown, space);
  header.add(MessageType::page_list, message_flag::kMarkIfUnknown, list);
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

}  // namespace onecast
