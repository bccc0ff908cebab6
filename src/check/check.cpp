#include "onecast/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/located_error.hpp"
#include "base/lookup3.hpp"
#include "check/heap_check.hpp"
#include "check/object_check.hpp"
#include "format/boot/driver_info.hpp"
#include "format/objects/page_list_message.hpp"
#include "pages/cache_image.hpp"
#include "pages/journal.hpp"
#include "pages/recovery.hpp"
#include "pages/superblock_info.hpp"
#include "structures/read_record.hpp"
#include "transport/factory.hpp"

namespace onecast {

using namespace check;

namespace {

class FileCheck {
 public:
  FileCheck(const std::string& path, const CheckOptions& options)
      : options_(options),
        log_(options.limit),
        transport_(posix_factory()(path, OpenMode::read_only)) {
    file_.name = path;
    undo_unfinished_flush();
  }

  CheckReport run() {
    report_.file_size = transport_->size();
    base_ = find_base();
    report_.user_block = base_;
    const auto superblock = read_superblock();
    if (superblock) walk(*superblock);
    report_.findings = log_.take();
    report_.finding_counts = log_.counts();
    return std::move(report_);
  }

 private:
  /// The check sees the file like an open for reading.
  void undo_unfinished_flush() {
    const auto recovery =
        std::make_shared<Recovery>(*transport_, posix_factory(), journal_path(file_.name));
    if (recovery->state() != JournalState::half) return;
    transport_ = Recovery::as_undone(std::move(transport_), recovery);
    log_.add({Finding::Kind::note,
              "",
              {},
              "file",
              "",
              "a flush was under way when its writer ended; the journal beside the file undoes it "
              "(onecast recover), and the file is checked as it is then"});
  }

  [[nodiscard]] std::vector<std::byte> bytes_at(std::uint64_t offset, std::uint64_t size) {
    const std::uint64_t left = report_.file_size - std::min(report_.file_size, offset);
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(left, size)));
    bytes.resize(transport_->read_at(offset, bytes));
    return bytes;
  }

  /// Finds the superblock. "II.A": it lies at 0, 512, 1024, 2048, ...
  std::uint64_t find_base() {
    for (std::uint64_t at = 0; at < report_.file_size; at = at == 0 ? 512 : at * 2)
      if (find_superblock(bytes_at(at, kFormatSignature.size())) == 0) return at;
    fail_without_superblock(file_.name, report_.file_size);
  }

  std::optional<Superblock> read_superblock() {
    std::vector<std::byte> bytes = bytes_at(base_, kMaxSuperblockSize);
    std::optional<Superblock> found;
    const auto read = [&] { found = decode_superblock(bytes, Address{0}, file_); };
    if (log_.attempt("", "", read)) return found;
    // With a corrected checksum, the rest of the superblock may still be usable.
    const std::size_t size = SuperblockV2::size(file_);
    if (bytes.size() < size || bytes[8] < std::byte{2}) return found;
    const std::uint32_t sum = lookup3(std::span(bytes).first(size - 4));
    for (std::size_t i = 0; i < 4; ++i)
      bytes[size - 4 + i] = static_cast<std::byte>(sum >> (8 * i));
    log_.attempt("", "", read);
    return found;
  }

  [[nodiscard]] std::uint64_t size_of(const Superblock& superblock) const {
    if (superblock.version >= 2) return SuperblockV2::size(file_);
    SuperblockV0 old;
    old.version = superblock.version;
    return encoded_size(file_, old);
  }

  void walk(const Superblock& superblock) {
    const std::uint64_t end = find_end(superblock);
    BlockCache blocks(file_, *transport_, base_, end);
    StructureMap map;
    NotingSource source(blocks, map);
    map.note(0, size_of(superblock), Family::superblock, Use::file, 0);
    note_flags(superblock);
    const auto extension = read_extension(source, superblock);
    if (!extension.known || !take_cache_image(blocks, map, extension.image)) return;
    CheckContext context(source, log_, *transport_, base_, extension.superblock, options_, report_,
                         extension.shared);
    std::ranges::copy_if(extension.free, std::back_inserter(context.unused_values),
                         &FreeStretch::is_in_heap);
    try {
      if (extension.shared) check_shared_messages(context, *extension.shared);
      for (const Address manager : extension.managers)
        report_.free_bytes += check_free_space(context, manager);
      ObjectCheck(context).run(superblock.root_header_address);
      report_.walked = true;
    } catch (const EndlessFile& error) {
      log_.add({Finding::Kind::overlap, context.path(), {}, "file", "", error.what()});
    }
    source.set_owner(0);
    check_unused_values(context);
    for (const FreeStretch& s : extension.free) map.note_free(s);
    map.finish(end, log_, report_);
    for (const auto& [name, count] : context.counts) report_.objects.push_back({name, count});
    for (const auto& [name, total] : context.filters) report_.filters.push_back(total);
  }

  /// Makes the entries of the cache image replace what lies at their addresses.
  bool take_cache_image(BlockCache& blocks, StructureMap& map, const CacheImageMessage& message) {
    if (!message.image_block.is_defined() || message.block_size == 0) return true;
    return log_.attempt("", "", [&] {
      SuperblockExtension extension;
      extension.cache_image = FileRange{message.image_block, message.block_size};
      for (const auto& [address, bytes] : read_cache_image(blocks, extension, {}, blocks.end()))
        blocks.replace(address, bytes);
      map.note(message.image_block.value, message.block_size, Family::other, Use::file, 0);
    });
  }

  /// The end of the file as an address. A truncated file is checked as far as it goes.
  std::uint64_t find_end(const Superblock& superblock) {
    report_.superblock_version = superblock.version;
    const std::uint64_t stored =
        superblock.end_of_file_address.value -
        std::min(superblock.base_address.value, superblock.end_of_file_address.value);
    report_.end_of_file = stored;
    const std::uint64_t there = report_.file_size - base_;
    if (grows_behind_its_end(superblock)) return there;
    if (stored > there)
      log_.add({Finding::Kind::damage, "", 0, "Superblock", "End of File Address",
                fmt::format("is {}, but the file has only {} bytes (truncated)", stored, there)});
    if (stored < there)
      log_.add({Finding::Kind::note, "", stored, "file", "size",
                fmt::format("{} bytes lie behind the end-of-file address of the superblock",
                            there - stored)});
    return std::min(stored, there);
  }

  void note_flags(const Superblock& superblock) {
    const bool open = superblock.version == 3 &&
                      (superblock.file_consistency_flags & consistency_flag::kOpenForWriting) != 0;
    if (open)
      log_.add({Finding::Kind::note, "", 0, "Superblock", "File Consistency Flags",
                "the file is open for writing, or was not closed"});
  }

  struct Extension {
    bool known = true;  ///< nothing makes further checks wrong
    Superblock superblock;
    std::optional<SharedMessageTableMessage> shared{};
    std::vector<Address> managers{};
    CacheImageMessage image{};        ///< its block is undefined if there is none
    std::vector<FreeStretch> free{};  ///< of a page list that is not stale
  };

  Extension read_extension(NotingSource& source, const Superblock& superblock) {
    Extension found{true, superblock};
    if (superblock.driver_info_address.is_defined()) {
      found.known = log_.attempt("", "", [&] {
        reader_at(source, superblock.driver_info_address, DriverInformationBlock::kTitle)
            .refuse("Driver Identification", "a file that is split over several (family, multi)");
      });
    }
    if (!superblock.extension_address.is_defined()) return found;
    log_.attempt("", "", [&] {
      const ObjectHeader header = read_object_header(source, superblock.extension_address);
      source.map().note(header.first.address.value, header.first.size, Family::object_header,
                        Use::file, 0);
      for (const HeaderMessage& m : header.messages)
        found.known =
            log_.attempt("", "", [&] { extension_message(source, m, found); }) && found.known;
    });
    return found;
  }

  void extension_message(NotingSource& source, const HeaderMessage& m, Extension& found) {
    const ByteReader in({}, m.address, file_, "Superblock Extension");
    switch (m.type) {
      case MessageType::cache_image:
        found.image = decode<CacheImageMessage>(m.data, m.address, file_);
        return;
      case MessageType::driver_info:
        in.refuse("Driver Info Message", "a file that is split over several (family, multi)");
      case MessageType::shared_message_table:
        found.shared = decode<SharedMessageTableMessage>(m.data, m.address, file_);
        return;
      case MessageType::btree_k_values: {
        const auto k = decode<BTreeKValuesMessage>(m.data, m.address, file_);
        found.superblock.group_leaf_node_k = k.group_leaf_node_k;
        found.superblock.group_internal_node_k = k.group_internal_node_k;
        found.superblock.indexed_storage_internal_node_k = k.indexed_storage_internal_node_k;
        return;
      }
      case MessageType::file_space_info: {
        const auto info = decode<FileSpaceInfoMessage>(m.data, m.address, file_);
        for (const Address manager : info.managers)
          if (manager.is_defined()) found.managers.push_back(manager);
        return;
      }
      case MessageType::page_list: {
        const auto list = decode<PageListMessage>(m.data, m.address, file_);
        if ((m.flags & message_flag::kWasUnknown) != 0) return;
        const bool stale = list.end_of_file_address != found.superblock.end_of_file_address.value;
        if (!stale) found.free = list.free;
        if (list.runs_in_block()) {
          const auto block =
              read_record(source, list.block_address, list.block_length, PageListBlock::of(list));
          if (!stale) found.free = block.free;
        }
        if (list.has_extents())
          read_record<MetadataExtentsBlock>(source, list.extents_address, list.extents_length,
                                            {UINT64_MAX, {}});
        return;
      }
      default:
        return;
    }
  }

  const CheckOptions& options_;
  FindingLog log_;
  std::unique_ptr<Transport> transport_;
  FileContext file_;
  std::uint64_t base_ = 0;
  CheckReport report_;
};

}  // namespace

CheckReport check_file(const std::string& path, const CheckOptions& options) {
  return FileCheck(path, options).run();
}

}  // namespace onecast
