#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// Onecast's own records, which list the pages of the file that hold metadata. See
/// docs/reference/page-list.md.
namespace onecast::format {

/// Adjacent metadata pages.
struct MetadataPageRun {
  static constexpr std::size_t kSize = 12;

  std::uint32_t page_count = 0;
  std::uint64_t first_page = 0;  ///< the address divided by the page size

  /// Visits the runs of a list: not empty, ascending, apart from each other, all below page
  /// `page_limit`.
  template <class V, class Runs>
  static void list(V& v, Runs& runs, std::uint32_t count, std::uint64_t page_limit) {
    std::uint64_t end = 0;
    v.list("Runs", runs, count, kSize, [&](V& each, auto& run) {
      each.u32("Page Count", run.page_count);
      each.u64("First Page Index", run.first_page);
      each.check(run.page_count != 0, "Page Count", "is 0");
      each.check(run.first_page >= end, "First Page Index", "does not ascend");
      each.check(run.first_page < page_limit && run.page_count <= page_limit - run.first_page,
                 "First Page Index", "the run reaches beyond the end of the file");
      end = run.first_page + run.page_count;
    });
  }
};

/// Bytes that nothing refers to. In a metadata page they are for metadata, in a collection of the
/// global heap for its objects, elsewhere for anything.
struct FreeStretch {
  static constexpr std::size_t kSize = 16;
  static constexpr std::uint64_t kForMetadata = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kInHeap = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kEndsCollection = std::uint64_t{1} << 61U;
  static constexpr std::uint64_t kObjectUnit = 8;
  /// The limit for 16-bit indexes, as no two objects of a heap begin within 16 bytes.
  static constexpr std::uint64_t kMostOfCollection = std::uint64_t{1} << 20U;

  Address address;
  std::uint64_t size_and_use = 0;

  static FreeStretch in_heap(Address address, std::uint64_t size, Address collection, bool ends) {
    const std::uint64_t units = (address.value - collection.value) / kObjectUnit;
    return {address, size | units << 32U | kInHeap | (ends ? kEndsCollection : 0)};
  }

  [[nodiscard]] std::uint64_t size() const {
    return is_in_heap() ? size_and_use & UINT32_MAX : size_and_use & ~kForMetadata;
  }
  /// True for whole pages that are only for metadata.
  [[nodiscard]] bool is_for_metadata() const { return (size_and_use & kForMetadata) != 0; }
  /// True for whole objects of a collection.
  [[nodiscard]] bool is_in_heap() const { return (size_and_use & kInHeap) != 0; }
  [[nodiscard]] bool ends_collection() const { return (size_and_use & kEndsCollection) != 0; }
  /// The distance of a stretch in a heap from the start of its collection.
  [[nodiscard]] std::uint64_t distance() const {
    return (size_and_use >> 32U & 0x1fffffffU) * kObjectUnit;
  }

  /// Visits the stretches of a list: not empty, ascending, apart from each other, all below `end`.
  template <class V, class Stretches>
  static void list(V& v, Stretches& stretches, std::uint32_t count, std::uint64_t end) {
    std::uint64_t next = 0;
    v.list("Free Stretches", stretches, count, kSize, [&](V& each, auto& stretch) {
      each.u64("Address", stretch.address.value);
      each.u64("Size and Use", stretch.size_and_use);
      each.check(stretch.size() != 0, "Size and Use", "a size of 0");
      each.check(stretch.address.value >= next, "Address", "does not ascend");
      each.check(stretch.address.value < end && stretch.size() <= end - stretch.address.value,
                 "Size and Use", "the stretch reaches beyond the end of the file");
      each.check(!stretch.is_in_heap() || stretch.is_sound_in_heap(), "Size and Use",
                 "not a part of a collection of the global heap");
      next = stretch.address.value + stretch.size();
    });
  }

 private:
  [[nodiscard]] bool is_sound_in_heap() const {
    return !is_for_metadata() && size() % kObjectUnit == 0 && size() >= 2 * kObjectUnit &&
           distance() >= 2 * kObjectUnit && distance() <= address.value &&
           distance() + size() <= kMostOfCollection;
  }
};

/// Metadata outside of pages, in a file that another program wrote.
struct MetadataExtent {
  static constexpr std::size_t kSize = 16;

  Address address;
  std::uint64_t size = 0;
};

/// A header message of type 0xF5 in the superblock extension.
struct PageListMessage {
  static constexpr const char* kTitle = "Page List Message";
  static constexpr std::uint8_t kRunsInBlock = 0x01;
  static constexpr std::uint8_t kHasExtents = 0x02;
  static constexpr std::uint8_t kHasFreeSpace = 0x04;
  static constexpr std::uint8_t kLeavesPageEnds = 0x08;
  static constexpr std::uint64_t kMinPageSize = 512;
  static constexpr std::uint64_t kMaxPageSize = std::uint64_t{1} << 30U;

  std::uint8_t flags = 0;
  std::uint64_t page_size = 0;
  std::uint64_t generation = 0;
  std::uint64_t end_of_file_address = 0;  ///< at the time when the list was written
  Address free_metadata;  ///< the first unused byte of the last used metadata page, if any is left
  Address free_raw_data;  ///< likewise for the last page with raw data
  std::uint32_t run_count = 0;        ///< set to runs.size() if the runs are in this message
  std::vector<MetadataPageRun> runs;  ///< empty if they are in a block
  Address block_address;              ///< the address of the PageListBlock
  std::uint64_t block_length = 0;
  std::uint64_t block_room = 0;  ///< the bytes reserved for the block; with kHasFreeSpace
  Address extents_address;       ///< the address of the MetadataExtentsBlock
  std::uint64_t extents_length = 0;
  std::uint32_t free_count = 0;     ///< set to free.size() if they are in this message
  std::vector<FreeStretch> free{};  ///< empty if they are in a block

  [[nodiscard]] bool has_extents() const { return (flags & kHasExtents) != 0; }
  [[nodiscard]] bool has_free_space() const { return (flags & kHasFreeSpace) != 0; }
  [[nodiscard]] bool leaves_page_ends() const { return (flags & kLeavesPageEnds) != 0; }
  [[nodiscard]] bool runs_in_block() const { return (flags & kRunsInBlock) != 0; }
  [[nodiscard]] std::uint64_t page_limit() const {
    return page_size == 0 ? 0 : end_of_file_address / page_size;
  }
  [[nodiscard]] std::uint64_t free_limit() const { return page_limit() * page_size; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 1);
    v.u8("Flags", s.flags);
    v.require((s.flags & 0xf0U) == 0, "Flags", "bits other than 0 to 3");
    v.reserved("Reserved", 2);
    v.u64("Page Size", s.page_size);
    v.check(s.page_size >= kMinPageSize && s.page_size <= kMaxPageSize, "Page Size",
            "is not within 512 bytes to 1 GiB");
    v.u64("Generation", s.generation);
    v.u64("End of File Address", s.end_of_file_address);
    v.u64("Free Metadata Address", s.free_metadata.value);
    v.u64("Free Raw Data Address", s.free_raw_data.value);
    v.u32("Number of Runs", s.run_count);
    if (s.runs_in_block()) {
      v.u64("Block Address", s.block_address.value);
      v.u64("Block Length", s.block_length);
      if (s.has_free_space()) v.u64("Block Room", s.block_room);
    } else {
      MetadataPageRun::list(v, s.runs, s.run_count, s.page_limit());
    }
    if (s.has_extents()) {
      v.u64("Extents Address", s.extents_address.value);
      v.u64("Extents Length", s.extents_length);
    }
    if (s.has_free_space() && !s.runs_in_block()) {
      v.u32("Number of Free Stretches", s.free_count);
      FreeStretch::list(v, s.free, s.free_count, s.free_limit());
    }
  }
};

/// Holds the runs and free stretches that do not fit into the message.
struct PageListBlock {
  static constexpr const char* kTitle = "Page List Block";
  static constexpr std::string_view kSignature = "OCPL";

  std::uint64_t page_limit = 0;  ///< context: the message's page_limit()
  std::uint64_t generation = 0;  ///< the message's: a block of another generation is stale
  std::vector<MetadataPageRun> runs{};
  bool has_free_space = false;   ///< context: the message's
  std::uint64_t free_limit = 0;  ///< context: the message's free_limit()
  std::vector<FreeStretch> free{};

  static PageListBlock of(const PageListMessage& message) {
    return {message.page_limit(), 0, {}, message.has_free_space(), message.free_limit(), {}};
  }
  [[nodiscard]] PageListBlock context() const {
    return {page_limit, 0, {}, has_free_space, free_limit, {}};
  }
  /// The size with free stretches.
  static constexpr std::size_t size(std::size_t run_count, std::size_t free_count) {
    return 28 + MetadataPageRun::kSize * run_count + FreeStretch::kSize * free_count;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", kSignature);
    v.version("Version", 1);
    v.reserved("Reserved", 3);
    v.u64("Generation", s.generation);
    auto count = static_cast<std::uint32_t>(s.runs.size());
    v.u32("Number of Runs", count);
    MetadataPageRun::list(v, s.runs, count, s.page_limit);
    if (s.has_free_space) {
      auto free_count = static_cast<std::uint32_t>(s.free.size());
      v.u32("Number of Free Stretches", free_count);
      FreeStretch::list(v, s.free, free_count, s.free_limit);
    }
    v.checksum("Checksum");
  }
};

/// Holds the extents. It is written once, since whatever is added to the file later lies in pages.
struct MetadataExtentsBlock {
  static constexpr const char* kTitle = "Metadata Extents Block";
  static constexpr std::string_view kSignature = "OCME";
  static constexpr std::uint64_t kEmpty = 20;

  std::uint64_t end = 0;  ///< context: the end of the last byte that may be metadata
  std::vector<MetadataExtent> extents;

  [[nodiscard]] MetadataExtentsBlock context() const { return {end, {}}; }
  static constexpr std::uint64_t size(std::uint64_t count) {
    return kEmpty + MetadataExtent::kSize * count;
  }
  static constexpr std::uint64_t count(std::uint64_t size) {
    return size < kEmpty ? 0 : (size - kEmpty) / MetadataExtent::kSize;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", kSignature);
    v.version("Version", 1);
    v.reserved("Reserved", 3);
    auto count = static_cast<std::uint64_t>(s.extents.size());
    v.u64("Number of Extents", count);
    std::uint64_t next = 0;
    v.list("Extents", s.extents, count, MetadataExtent::kSize, [&](V& each, auto& extent) {
      each.u64("Address", extent.address.value);
      each.u64("Size", extent.size);
      each.check(extent.size != 0, "Size", "is 0");
      each.check(extent.address.value >= next, "Address", "does not ascend");
      each.check(extent.address.value < s.end && extent.size <= s.end - extent.address.value,
                 "Size", "the extent reaches beyond the end of the file");
      next = extent.address.value + extent.size;
    });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
