#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/file_range.hpp"
#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "base/round_up.hpp"
#include "format/objects/page_list_message.hpp"
#include "pages/free_space.hpp"
#include "pages/heap_free_space.hpp"

namespace onecast::pages {

/// The rules for where raw data begins, besides on page boundaries. All values are bytes.
struct AllocationRules {
  std::uint64_t base = 0;    ///< the offset of address 0 in the file
  std::uint64_t stripe = 0;  ///< the stripe size of the file system; 0: not known
  /// Raw data of at least `threshold` bytes begins at multiples of `interval` in the file. 0:
  /// contiguous data of a stripe or more, and other data of whole stripes, begin on stripes.
  std::uint64_t interval = 0;
  std::uint64_t threshold = 0;  ///< 0: `interval`, or if that is 0, the stripe
  /// No raw data lies before this offset of the file. 0: it may lie anywhere.
  std::uint64_t metadata_until = 0;
};

/// The small members of an allocator, which a mark copies.
class PageAllocatorCursors {
 protected:
  /// The unused rest of a page, or of several adjacent ones.
  struct Rest {
    std::uint64_t cursor = 0;
    std::uint64_t end = 0;

    [[nodiscard]] Address free() const { return cursor < end ? Address{cursor} : Address{}; }
    [[nodiscard]] std::uint64_t size() const { return cursor < end ? end - cursor : 0; }
  };

  PageAllocatorCursors(std::uint64_t page_size, std::uint64_t end,
                       std::vector<MetadataPageRun> runs)
      : page_size_(page_size), end_(end), runs_(std::move(runs)) {}

  std::uint64_t page_size_;
  std::uint64_t unit_ = page_size_;     ///< a unit holds only one of the two kinds of pages
  std::uint64_t first_stripe_end_ = 0;  ///< up to here both kinds may mix; 0: stripes do not matter
  std::uint64_t reserved_end_ = 0;      ///< empty pages before this address stay for metadata
  AllocationRules rules_;
  std::uint64_t end_;
  std::uint64_t pages_start_ = 0;
  std::vector<MetadataPageRun> runs_;
  Rest metadata_;
  Rest raw_;
  std::set<std::uint64_t> reused_pages_;
  bool paged_ = true;
  bool leaves_page_ends_ = true;
};

/// Gives addresses to metadata and raw data, each in pages of its own: in freed space, in the
/// unused rest of a page, or at the end of the file. If a flush fails, its allocations are undone.
/// Every rank makes the same calls, so all ranks get equal addresses without communication.
///
/// Pages are small, but metadata pages lie together in large runs: where raw data follows metadata
/// at the end of the file, the pages up to the end of a *cluster* are reserved for metadata.
/// Clusters grow with the file. Where stripes are known, they take the place of clusters: a stripe
/// holds metadata or raw data, never both. Only the first stripe may hold both, so that a small
/// file stays small.
///
/// Free space in a metadata page is for metadata. An empty page stays reserved for metadata until
/// its whole cluster or stripe is free, which may then hold anything.
class PageAllocator : private PageAllocatorCursors {
 public:
  /// Makes the allocator of a new file whose page 0 is used up to `used`.
  PageAllocator(std::uint64_t page_size, std::uint64_t used);
  /// Makes the allocator of a file with this page list. Unused rests that contradict the list are
  /// not used.
  PageAllocator(const PageListMessage& message, std::vector<MetadataPageRun> runs,
                std::uint64_t end);

  /// Makes the allocator of a file without a list: new pages lie beyond its end.
  static PageAllocator behind(std::uint64_t page_size, std::uint64_t end);
  /// Makes the allocator of a file without pages: metadata and raw data mix, and the end of the
  /// file need not be a page boundary.
  static PageAllocator unpaged(std::uint64_t page_size, std::uint64_t end);

  /// Takes over the free stretches of the page list. Returns false, and takes over nothing, if a
  /// part of them is certainly in use: it lies in `in_use`, in pages of both kinds, or in an unused
  /// rest.
  bool take_over(std::span<const FreeStretch> stretches, std::vector<FileRange> in_use);
  /// The free stretches for the page list, ascending; if there are very many, the largest in heaps
  /// and the largest elsewhere.
  [[nodiscard]] std::vector<FreeStretch> free_stretches() const;
  [[nodiscard]] std::size_t free_stretch_count() const;
  /// The free space outside of metadata pages.
  [[nodiscard]] std::vector<FileRange> unused_space() const;
  /// Limits, since the list is read and written as a whole.
  static constexpr std::size_t kMostStretches = 1024;
  static constexpr std::size_t kMostHeapRooms = 16384;

  /// Takes effect from now on. Metadata and raw data then share no stripe but the first, if a
  /// stripe is a whole number of pages and at most kMostStripe.
  void set_allocation_rules(const AllocationRules& rules);
  static constexpr std::uint64_t kMostStripe = std::uint64_t{64} << 20U;

  /// Makes raw data of a new file begin after what the rules reserve for metadata.
  void reserve_metadata();

  /// The largest cluster at `address`, as a share of the file before it.
  static constexpr std::uint64_t kShareOfCluster = 32;
  static constexpr std::uint64_t kMostCluster = std::uint64_t{8} << 20U;

  /// Gives an address to metadata, which neither straddles a page boundary nor covers the page's
  /// seal. If it is too large for that, it starts on a page boundary and takes its pages whole.
  Address metadata(std::uint64_t size);
  /// Gives an address to raw data. Data of kPagesToAlign pages or more starts on a page boundary,
  /// or as the rules say; smaller data lies close together.
  static constexpr std::uint64_t kPagesToAlign = 16;
  Address raw_data(std::uint64_t size);
  Address contiguous_data(std::uint64_t size);
  /// Like contiguous_data(), but returns nothing if the file would grow.
  std::optional<Address> contiguous_data_inside(std::uint64_t size);
  /// Like contiguous_data(), but takes the place from `space`, which is not given back yet. Returns
  /// nothing if none fits.
  std::optional<Address> contiguous_data_in(FreeSpace& space, std::uint64_t size) const;
  /// Gives an address close after the previous raw data, whatever the size.
  Address packed_raw_data(std::uint64_t size);

  /// Gives back allocated space, or a part of it. The file on disk must not refer to it: space that
  /// it refers to may be given back only after a successful flush that no longer does. In a damaged
  /// file, ranges that lie elsewhere are ignored.
  void free_metadata(Address address, std::uint64_t size);
  void free_raw_data(Address address, std::uint64_t size);
  /// The bytes that free_raw_data() would free. 0: they are free already, or no raw data can lie
  /// there.
  [[nodiscard]] std::uint64_t room_of_raw_data(Address address, std::uint64_t size) const;

  /// Room for an object of `size` bytes in a collection of the global heap, if one has some.
  std::optional<HeapRoom> heap_room(std::uint64_t size) { return free_.heaps.take(size); }
  /// Gives back the unneeded part of a room, or the room of removed objects. A collection that
  /// becomes empty is free for anything.
  void free_heap_room(const HeapRoom& room);
  /// True if a part of it is free.
  [[nodiscard]] bool has_free_heap_room(const HeapRoom& room) const {
    return free_.heaps.overlaps(room);
  }

  /// True if the range may have been written: it was given back, or was in the file at open.
  /// Otherwise the file has zeros there until somebody writes.
  [[nodiscard]] bool was_used(Address address, std::uint64_t size) const {
    return address.value < used_end_ || used_.overlaps(address.value, address.value + size);
  }

  /// The state at some time. Marks are undone or forgotten in reverse order.
  class Mark;
  [[nodiscard]] Mark mark();
  /// Gives the same addresses again as after the mark, but remembers that something may have been
  /// written to the addresses given since.
  void undo(Mark mark);
  void forget_last_mark();
  /// Notes that anything before `end` may have been written.
  void note_used(std::uint64_t end) { used_end_ = std::max(used_end_, end); }

  [[nodiscard]] std::uint64_t page_size() const { return page_size_; }
  /// The end-of-file address, a multiple of the page size.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] const std::vector<MetadataPageRun>& metadata_runs() const { return runs_; }
  /// The start of the pages; before it, another program mixed metadata and raw data.
  [[nodiscard]] std::uint64_t pages_start() const { return pages_start_; }
  /// The starts of the unused rests of pages.
  [[nodiscard]] Address free_metadata() const { return metadata_.free(); }
  [[nodiscard]] Address free_raw_data() const { return raw_.free(); }
  [[nodiscard]] bool is_paged() const { return paged_; }
  /// True if no metadata begins, or ever began, in the last part of a page.
  [[nodiscard]] bool leaves_page_ends() const { return leaves_page_ends_; }
  /// Metadata pages before the end of the file that the file does not have yet.
  [[nodiscard]] const std::set<std::uint64_t>& reused_pages() const { return reused_pages_; }
  /// Notes that the file has them now.
  void forget_reused_pages() { reused_pages_.clear(); }

 private:
  PageAllocator(std::uint64_t page_size, std::uint64_t end, std::vector<MetadataPageRun> runs);

  enum class Kind : bool { raw_data, metadata };

  static constexpr std::size_t kFreeSpaces = 4;
  /// The large members; a mark notes what changes in them.
  struct Free {
    FreeSpace metadata;  ///< in metadata pages
    FreeSpace raw;       ///< elsewhere, for raw data and pages of metadata
    FreeSpace spare;     ///< whole pages, for metadata only
    HeapFreeSpace heaps;

    [[nodiscard]] std::array<FreeSpace*, kFreeSpaces> all() {
      return {&metadata, &raw, &spare, &heaps.space()};
    }
  };

  /// True if metadata and raw data lie in different stripes.
  [[nodiscard]] bool separates_stripes() const;
  /// Moves the end to where `size` bytes of this kind may begin, at a multiple of `interval`.
  void begin_pages(Kind kind, std::uint64_t size, std::uint64_t interval);
  /// Begins a stripe other than the first.
  void begin_stripe(Kind kind);
  /// True if metadata and raw data may mix: in the first stripe, or if stripes do not matter.
  [[nodiscard]] bool mixes() const { return unit_ == page_size_ || end_ < first_stripe_end_; }
  [[nodiscard]] bool follows_metadata() const;
  [[nodiscard]] std::uint64_t cluster_at(std::uint64_t address) const;
  /// The end of the cluster in which the file ends.
  [[nodiscard]] std::uint64_t cluster_end() const;
  /// True if raw data at `start` would leave the first stripe, which may hold metadata.
  [[nodiscard]] bool leaves_first_stripe(std::uint64_t start, std::uint64_t size) const {
    return end_ < first_stripe_end_ && start + size > first_stripe_end_;
  }
  /// Reserves the pages up to `end`, the new end of the file, for metadata.
  void keep_for_metadata(std::uint64_t end);
  /// Appends pages at the end of the file.
  std::uint64_t append_pages(std::uint64_t size, Kind kind);
  /// Makes these metadata pages.
  std::uint64_t take_metadata_pages(std::uint64_t size);
  /// Takes free pages, which were given back or reserved.
  std::optional<std::uint64_t> free_pages(std::uint64_t size);
  Address unpaged_metadata(std::uint64_t size);
  Address unpaged_raw_data(std::uint64_t size, std::uint64_t interval);
  [[nodiscard]] std::uint64_t aligned(std::uint64_t address, std::uint64_t interval) const {
    return round_up(rules_.base + address, interval) - rules_.base;
  }
  /// The data's address must be a multiple of this; 0: any address.
  [[nodiscard]] std::uint64_t interval_of(std::uint64_t size, bool contiguous) const;
  /// The first address from `start` on where contiguous data may begin.
  [[nodiscard]] std::uint64_t start_of_data(std::uint64_t start, std::uint64_t size,
                                            std::uint64_t interval) const;
  Address aligned_raw_data(std::uint64_t size, std::uint64_t interval);
  /// Makes this the rest for small data, unless the current rest is larger.
  void offer_rest(const Rest& rest);
  /// The first address from `start` on where `size` bytes may lie: see metadata() and raw_data().
  /// The last `seal` bytes of each page stay unused.
  [[nodiscard]] std::uint64_t first_fit(std::uint64_t start, std::uint64_t size,
                                        std::uint64_t seal) const;
  /// A metadata page, from `start` to its seal.
  [[nodiscard]] Rest metadata_rest(std::uint64_t start) const;
  static void replace(Rest& rest, const Rest& next, FreeSpace& space);
  /// No metadata begins in the last part of a metadata page: otherwise small objects from
  /// everywhere would go there, and a flush would change many distant pages. So a page that is free
  /// up to there is free to its seal.
  [[nodiscard]] bool is_page_end(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t seal_of(std::uint64_t address) const;
  static constexpr std::uint64_t kShareOfPageEnd = 16;
  /// Frees a stretch, and joins it with a rest that it touches.
  static std::optional<FreeSpace::Stretch> add_free(FreeSpace& space, Rest& rest,
                                                    std::uint64_t address, std::uint64_t size);
  void empty_page(std::uint64_t page, const FreeSpace::Stretch& stretch);
  void add_spare_pages(std::uint64_t address, std::uint64_t size);
  void add_metadata_pages(std::uint64_t address, std::uint64_t size);
  void remove_metadata_page(std::uint64_t page);
  /// `start` is that of the stretch, or of the collection that holds it. `run` is the first run
  /// that ends after the page of `start`, if there is one.
  [[nodiscard]] bool may_be_free(const FreeStretch& stretch, std::uint64_t start,
                                 const MetadataPageRun* run) const;
  [[nodiscard]] bool is_metadata_page(std::uint64_t page) const;
  /// True in every sound file; a damaged one may claim anything.
  [[nodiscard]] bool are_pages(Address address, std::uint64_t size, bool metadata) const;

  Free free_;
  std::uint64_t used_end_ = 0;  ///< bytes before it may not be zero
  IntervalSet used_;            ///< what was given back; bytes there may not be zero
};

class PageAllocator::Mark {
  friend PageAllocator;
  Mark(const PageAllocatorCursors& cursors, const std::array<std::size_t, kFreeSpaces>& changes)
      : cursors_(cursors), changes_(changes) {}

  PageAllocatorCursors cursors_;
  std::array<std::size_t, kFreeSpaces> changes_;  ///< the changes in the free space
};

}  // namespace onecast::pages
