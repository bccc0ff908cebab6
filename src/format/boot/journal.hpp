#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// Onecast's own record: the journal of one flush, in a file beside the HDF5 file. See
/// docs/reference/journal.md.
namespace onecast::format {

/// A block that the flush changes, or the part of it that is metadata.
struct JournalBlock {
  /// The size that a disk writes atomically. Blocks begin at multiples of it.
  static constexpr std::uint64_t kSize = 512;
  static constexpr std::size_t kEncodedSize = 16 + kSize;

  /// The block is raw data. It may change after the flush without another flush, so it does not
  /// show whether the flush is complete.
  static constexpr std::uint16_t kRawData = 1;

  Address address;                 ///< relative to the superblock, like all addresses
  std::uint32_t new_checksum = 0;  ///< lookup3 of the bytes that the flush writes; 0 for raw data
  std::uint16_t flags = 0;
  ByteView old_bytes;  ///< the bytes before the flush, at most to the end of the block

  [[nodiscard]] bool is_raw_data() const { return (flags & kRawData) != 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u64("Address", s.address.value);
    v.u32("New Checksum", s.new_checksum);
    auto length = static_cast<std::uint16_t>(s.old_bytes.size());
    v.u16("Length", length);
    v.check(length != 0 && length <= kSize - s.address.value % kSize, "Length",
            "is 0, or leaves the block");
    v.u16("Flags", s.flags);
    v.require((s.flags & 0xfffeU) == 0, "Flags", "bits other than 0");
    v.view("Old Bytes", s.old_bytes, length);
    v.reserved("Reserved", kSize - length);
  }

  [[nodiscard]] Address end() const { return address + old_bytes.size(); }
};

struct Journal {
  static constexpr const char* kTitle = "Journal";
  static constexpr std::string_view kSignature{"\x89OCJ\r\n\x1a\n", 8};
  /// The offset of Number of Blocks, on which the size of the journal depends.
  static constexpr std::size_t kCountAt = 12;

  std::uint64_t base = 0;            ///< the offset of the superblock in the file
  ByteView new_boot;                 ///< block 0 as the flush writes it, at most
                                     ///< JournalBlock::kSize bytes
  std::vector<JournalBlock> blocks;  ///< ascending; the first is block 0, changed or not

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", kSignature);
    v.version("Version", 1);
    v.reserved("Reserved", 3);
    auto count = static_cast<std::uint32_t>(s.blocks.size());
    v.u32("Number of Blocks", count);
    v.check(count != 0, "Number of Blocks", "is 0");
    v.u64("Superblock Address", s.base);
    v.check(s.base % JournalBlock::kSize == 0, "Superblock Address", "is not a multiple of 512");
    v.view("New Superblock", s.new_boot, JournalBlock::kSize);
    std::uint64_t next = 0;
    v.list("Blocks", s.blocks, count, JournalBlock::kEncodedSize, [&](V& each, auto& block) {
      JournalBlock::fields(each, block);
      const std::uint64_t at = block.address.value;
      each.check(at >= next && (next != 0 || at == 0), "Address", "does not ascend from 0");
      each.check(at < std::uint64_t{1} << 63U, "Address", "is too large");
      constexpr std::size_t kLeastBoot = 16;
      each.check(at != 0 || block.old_bytes.size() >= kLeastBoot, "Length", "is no superblock's");
      next = block.end().value;
    });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
