#include "pages/superblock_info.hpp"

#include <fmt/format.h>

#include "onecast/base/error.hpp"
#include "structures/object_header.hpp"
#include "structures/read_record.hpp"

namespace onecast::pages {
namespace {

PageList page_list(MetadataSource& source, const Superblock& superblock,
                   const HeaderMessage& found) {
  const auto message = decode<PageListMessage>(found.data, found.address, source.file());
  PageList list{message,
                message.runs,
                {},
                message.free,
                message.end_of_file_address != superblock.end_of_file_address.value,
                (found.flags & message_flag::kWasUnknown) != 0};
  list.stale = list.stale || list.was_unknown;
  // The list is a hint: if its block is gone, the file is walked instead.
  try {
    if (message.runs_in_block() && !list.stale) {
      const auto block = read_record(source, message.block_address, message.block_length,
                                     PageListBlock::of(message));
      list.runs = block.runs;
      list.free = block.free;
      list.stale = block.generation != message.generation;
    }
    if (message.has_extents() && !list.stale) {
      const std::uint64_t end =
          superblock.end_of_file_address.value - superblock.base_address.value;
      const auto block = read_record<MetadataExtentsBlock>(source, message.extents_address,
                                                           message.extents_length, {end, {}});
      for (const MetadataExtent& e : block.extents) list.extents.push_back({e.address, e.size});
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format) throw;
    list.stale = true;
  }
  return list;
}

/// A file may reserve an image block without an image in it.
std::optional<FileRange> cache_image(const CacheImageMessage& message) {
  if (!message.image_block.is_defined() || message.block_size == 0) return std::nullopt;
  return FileRange{message.image_block, message.block_size};
}

}  // namespace

std::uint64_t PageList::page_count() const {
  std::uint64_t count = 0;
  for (const MetadataPageRun& run : runs) count += run.page_count;
  return count;
}

std::optional<std::uint64_t> find_superblock(ByteView start_of_file) {
  for (std::size_t at = 0; at + kFormatSignature.size() <= start_of_file.size();
       at = at == 0 ? 512 : at * 2) {
    const auto* text = reinterpret_cast<const char*>(start_of_file.data() + at);
    if (std::string_view(text, kFormatSignature.size()) == kFormatSignature) return at;
  }
  return std::nullopt;
}

void fail_without_superblock(const std::string& file, std::uint64_t size) {
  throw Error(
      ErrorCode::format,
      fmt::format("{}: not an HDF5 file: {}", file,
                  size == 0 ? "it is empty" : "no superblock signature at 0, 512, 1024, ..."));
}

SuperblockExtension read_extension(MetadataSource& source, const Superblock& superblock) {
  if (superblock.driver_info_address.is_defined())
    reader_at(source, superblock.driver_info_address, "Driver Information Block")
        .refuse("Driver Identification", "a file that is split over several (family, multi)");
  SuperblockExtension extension;
  if (!superblock.extension_address.is_defined()) return extension;
  const ObjectHeader header = read_object_header(source, superblock.extension_address);
  for (const HeaderMessage& m : header.messages) {
    const ByteReader in({}, m.address, source.file(), "Superblock Extension");
    if (m.type == MessageType::driver_info)
      in.refuse("Driver Info Message", "a file that is split over several (family, multi)");
  }
  if (header.continuations.empty()) extension.block = header.first;
  for (const HeaderMessage& m : header.messages)
    if (m.type != MessageType::page_list)
      extension.others.push_back({m.type, m.flags, {m.data.begin(), m.data.end()}});
  if (const HeaderMessage* m = header.find(MessageType::btree_k_values))
    extension.btree_k_values = decode<BTreeKValuesMessage>(m->data, m->address, source.file());
  if (const HeaderMessage* m = header.find(MessageType::cache_image))
    extension.cache_image =
        cache_image(decode<CacheImageMessage>(m->data, m->address, source.file()));
  if (const HeaderMessage* m = header.find(MessageType::page_list))
    extension.page_list = page_list(source, superblock, *m);
  if (const HeaderMessage* m = header.find(MessageType::shared_message_table))
    extension.shared_messages =
        decode<SharedMessageTableMessage>(m->data, m->address, source.file());
  return extension;
}

}  // namespace onecast::pages
