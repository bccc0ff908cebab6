#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "base/round_up.hpp"
#include "format/objects/page_list_message.hpp"
#include "pages/file_range.hpp"
#include "pages/free_space.hpp"
#include "pages/heap_free_space.hpp"

namespace onecast::pages {

/// Where raw data begins, besides on pages. In bytes.
struct Placement {
  std::uint64_t base = 0;    ///< where address 0 lies in the file
  std::uint64_t stripe = 0;  ///< of the file system; 0: not known
  /// Raw data of `threshold` or more begins at multiples of `interval` in the file. 0: contiguous
  /// data of a stripe or more, and whole stripes of other data, on stripes.
  std::uint64_t interval = 0;
  std::uint64_t threshold = 0;  ///< 0: as `interval`, or if that is 0, the stripe
  /// Up to here, in the file, lies no raw data. 0: it may lie anywhere.
  std::uint64_t metadata_until = 0;
};

/// All of an allocator that is small: a mark keeps a copy of it.
class PageAllocatorCursors {
 protected:
  /// The unused rest of a page or of several adjacent ones.
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
  std::uint64_t unit_ = page_size_;     ///< in which the two kinds of pages do not mix
  std::uint64_t first_stripe_end_ = 0;  ///< but there they do; 0: stripes do not matter
  std::uint64_t reserved_end_ = 0;      ///< before, pages stay for metadata when they empty
  Placement placement_;
  std::uint64_t end_;
  std::uint64_t pages_start_ = 0;
  std::vector<MetadataPageRun> runs_;
  Rest metadata_;
  Rest raw_;
  std::set<std::uint64_t> reused_pages_;
  bool paged_ = true;
  bool leaves_page_ends_ = true;
};

/// Gives addresses to metadata and raw data, each in pages of its own: where something was given
/// back, in the unused rest of a page, or at the end of the file. What a flush does with it is
/// undone if the flush fails. Every rank makes the same calls, so all give the same addresses
/// without talking.
///
/// Pages are small, but those of metadata lie together in large runs: where raw data follows
/// metadata at the end of the file, the pages up to the end of a *cluster* stay for metadata.
/// Clusters grow with the file. Where stripes are known, they take the place of clusters: a stripe
/// holds metadata or raw data. Only the first one may hold both, so that a small file is small.
///
/// What is free in a metadata page is for metadata. A page that empties is no metadata page any
/// more; it stays for metadata until a cluster, or a stripe, is free: that is for anything.
class PageAllocator : private PageAllocatorCursors {
 public:
  /// Of a new file whose page 0 is used up to `used`.
  PageAllocator(std::uint64_t page_size, std::uint64_t used);
  /// Of a file that has this list. Free rests that do not lie where the list says are not used.
  PageAllocator(const PageListMessage& message, std::vector<MetadataPageRun> runs,
                std::uint64_t end);

  /// Of a file without a list: new pages lie behind its end.
  static PageAllocator behind(std::uint64_t page_size, std::uint64_t end);
  /// Of a file without pages: all lies side by side, and the end is where the last of it ends.
  static PageAllocator unpaged(std::uint64_t page_size, std::uint64_t end);

  /// What the list of the file says to be free. False, and nothing is taken over, if something of
  /// it is in use for certain: lies in `in_use`, in pages of two kinds, or in a rest.
  bool take_over(std::span<const FreeStretch> stretches, std::vector<FileRange> in_use);
  /// For the list: ascending; of very many, the largest, in heaps and elsewhere.
  [[nodiscard]] std::vector<FreeStretch> free_stretches() const;
  [[nodiscard]] std::size_t free_stretch_count() const;
  /// What is free, besides in pages of metadata.
  [[nodiscard]] std::vector<FileRange> unused_space() const;
  /// The list is read and written as a whole.
  static constexpr std::size_t kMostStretches = 1024;
  static constexpr std::size_t kMostHeapRooms = 16384;

  /// From now on. Pages of metadata and of raw data then do not lie in one stripe but the first, if
  /// a stripe is a whole number of pages and not larger than kMostStripe.
  void set_placement(const Placement& placement);
  static constexpr std::uint64_t kMostStripe = std::uint64_t{64} << 20U;

  /// Of a new file: raw data begins behind what the placement reserves for metadata.
  void reserve_metadata();

  /// Of metadata that begins at `address`: as much of what is before it, at most.
  static constexpr std::uint64_t kShareOfCluster = 32;
  static constexpr std::uint64_t kMostCluster = std::uint64_t{8} << 20U;

  /// Metadata: it does not straddle a page boundary, nor lie where the page's seal is; if it is too
  /// large for that, it starts on a page boundary and takes its pages whole.
  Address metadata(std::uint64_t size);
  /// Raw data: of kPagesToAlign pages and more it starts on a page boundary, or as the placement
  /// says; smaller pieces lie close together.
  static constexpr std::uint64_t kPagesToAlign = 16;
  Address raw_data(std::uint64_t size);
  Address contiguous_data(std::uint64_t size);
  /// As contiguous_data(), but nothing where the file would grow.
  std::optional<Address> contiguous_data_inside(std::uint64_t size);
  /// As contiguous_data(), but in `space`, which is not given back yet: it is taken from there.
  /// Nothing if it does not fit.
  std::optional<Address> contiguous_data_in(FreeSpace& space, std::uint64_t size) const;
  /// Raw data, one piece close behind the other, whatever its size.
  Address packed_raw_data(std::uint64_t size);

  /// Gives back what was given, or a part of it. Nothing that the file on disk refers to: that may
  /// be given back only when a flush has succeeded that does not. What lies elsewhere in a damaged
  /// file is left alone.
  void free_metadata(Address address, std::uint64_t size);
  void free_raw_data(Address address, std::uint64_t size);
  /// How much free_raw_data() makes free. 0: it is free already, or no raw data can lie there.
  [[nodiscard]] std::uint64_t room_of_raw_data(Address address, std::uint64_t size) const;

  /// Room for an object of `size` bytes in a collection of the global heap that has some.
  std::optional<HeapRoom> heap_room(std::uint64_t size) { return free_.heaps.take(size); }
  /// Gives back what such a room does not need, or what objects had. A collection with nothing else
  /// is free for anything.
  void free_heap_room(const HeapRoom& room);
  /// Is some of it free?
  [[nodiscard]] bool has_free_heap_room(const HeapRoom& room) const {
    return free_.heaps.overlaps(room);
  }

  /// May something have been written there that was given back, or was in the file when it was
  /// opened? Else the file has zeros there until somebody writes.
  [[nodiscard]] bool was_used(Address address, std::uint64_t size) const {
    return address.value < used_end_ || used_.overlaps(address.value, address.value + size);
  }

  /// What it was at some time. Marks are undone or forgotten in the reverse order.
  class Mark;
  [[nodiscard]] Mark mark();
  /// It gives the same addresses again as at the mark, but remembers that something may have been
  /// written to those that it gave since.
  void undo(Mark mark);
  void forget_last_mark();
  /// Somebody may have written anything before `end`.
  void note_used(std::uint64_t end) { used_end_ = std::max(used_end_, end); }

  [[nodiscard]] std::uint64_t page_size() const { return page_size_; }
  /// The end-of-address: a multiple of the page size.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] const std::vector<MetadataPageRun>& metadata_runs() const { return runs_; }
  /// Where pages begin: before, another program put metadata and raw data side by side.
  [[nodiscard]] std::uint64_t pages_start() const { return pages_start_; }
  /// Where the unused rests of pages begin.
  [[nodiscard]] Address free_metadata() const { return metadata_.free(); }
  [[nodiscard]] Address free_raw_data() const { return raw_.free(); }
  [[nodiscard]] bool is_paged() const { return paged_; }
  /// No metadata begins in the last part of a page, nor ever did.
  [[nodiscard]] bool leaves_page_ends() const { return leaves_page_ends_; }
  /// Metadata pages that the file does not have yet, though they lie before its end.
  [[nodiscard]] const std::set<std::uint64_t>& reused_pages() const { return reused_pages_; }
  /// The file has them now.
  void forget_reused_pages() { reused_pages_.clear(); }

 private:
  PageAllocator(std::uint64_t page_size, std::uint64_t end, std::vector<MetadataPageRun> runs);

  enum class Kind : bool { raw_data, metadata };

  static constexpr std::size_t kFreeSpaces = 4;
  /// All that is large: a mark notes what changes in it.
  struct Free {
    FreeSpace metadata;  ///< in metadata pages
    FreeSpace raw;       ///< elsewhere, for raw data and pages of metadata
    FreeSpace spare;     ///< whole ones, for metadata only
    HeapFreeSpace heaps;

    [[nodiscard]] std::array<FreeSpace*, kFreeSpaces> all() {
      return {&metadata, &raw, &spare, &heaps.space()};
    }
  };

  /// Metadata and raw data lie in different stripes.
  [[nodiscard]] bool separates_stripes() const;
  /// Moves the end to where so much of this kind may follow, from a multiple of `interval` on.
  void begin_pages(Kind kind, std::uint64_t size, std::uint64_t interval);
  /// Of a stripe that is not the first.
  void begin_stripe(Kind kind);
  /// Metadata and raw data may lie side by side: in the first stripe, or if stripes do not matter.
  [[nodiscard]] bool mixes() const { return unit_ == page_size_ || end_ < first_stripe_end_; }
  [[nodiscard]] bool follows_metadata() const;
  [[nodiscard]] std::uint64_t cluster_at(std::uint64_t address) const;
  /// The end of the cluster that the file ends in.
  [[nodiscard]] std::uint64_t cluster_end() const;
  /// Raw data from `start` on would leave the first stripe, which may hold metadata.
  [[nodiscard]] bool leaves_first_stripe(std::uint64_t start, std::uint64_t size) const {
    return end_ < first_stripe_end_ && start + size > first_stripe_end_;
  }
  /// The pages up to `end`, where the file ends then.
  void keep_for_metadata(std::uint64_t end);
  /// At the end.
  std::uint64_t append_pages(std::uint64_t size, Kind kind);
  /// These are metadata pages from now on.
  std::uint64_t take_metadata_pages(std::uint64_t size);
  /// Pages that were given away before, or never.
  std::optional<std::uint64_t> free_pages(std::uint64_t size);
  Address unpaged_metadata(std::uint64_t size);
  Address unpaged_raw_data(std::uint64_t size, std::uint64_t interval);
  [[nodiscard]] std::uint64_t aligned(std::uint64_t address, std::uint64_t interval) const {
    return round_up(placement_.base + address, interval) - placement_.base;
  }
  /// What the data must be a multiple of; 0: nothing.
  [[nodiscard]] std::uint64_t interval_of(std::uint64_t size, bool contiguous) const;
  /// Where contiguous data may begin, from `start` on.
  [[nodiscard]] std::uint64_t start_of_data(std::uint64_t start, std::uint64_t size,
                                            std::uint64_t interval) const;
  Address aligned_raw_data(std::uint64_t size, std::uint64_t interval);
  /// Small data goes on there, unless more is left elsewhere.
  void offer_rest(const Rest& rest);
  /// The first address from `start` on where `size` bytes may lie: see metadata() and raw_data().
  /// `seal`: so many bytes at the end of each page are not for them.
  [[nodiscard]] std::uint64_t place(std::uint64_t start, std::uint64_t size,
                                    std::uint64_t seal) const;
  /// A metadata page, from `start` on, without its seal.
  [[nodiscard]] Rest metadata_rest(std::uint64_t start) const;
  static void replace(Rest& rest, const Rest& next, FreeSpace& space);
  /// In the last part of a metadata page no metadata begins: small objects would go there from
  /// everywhere, and a flush would change many pages that lie far apart. So what is free up to
  /// there is free to the seal.
  [[nodiscard]] bool is_page_end(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t seal_of(std::uint64_t address) const;
  static constexpr std::uint64_t kShareOfPageEnd = 16;
  /// A rest, and what is free in front of it, are one.
  static std::optional<FreeSpace::Stretch> add_free(FreeSpace& space, Rest& rest,
                                                    std::uint64_t address, std::uint64_t size);
  void empty_page(std::uint64_t page, const FreeSpace::Stretch& stretch);
  void add_spare_pages(std::uint64_t address, std::uint64_t size);
  void add_metadata_pages(std::uint64_t address, std::uint64_t size);
  void remove_metadata_page(std::uint64_t page);
  /// `start`: of the stretch, or of the collection that it is in. `run`: the first one that ends
  /// behind the page of `start`, if there is one.
  [[nodiscard]] bool may_be_free(const FreeStretch& stretch, std::uint64_t start,
                                 const MetadataPageRun* run) const;
  [[nodiscard]] bool is_metadata_page(std::uint64_t page) const;
  /// Of a sound file. A damaged one may claim anything.
  [[nodiscard]] bool are_pages(Address address, std::uint64_t size, bool metadata) const;

  Free free_;
  std::uint64_t used_end_ = 0;  ///< any byte before it may not be zero
  IntervalSet used_;            ///< likewise: what was given back
};

class PageAllocator::Mark {
  friend PageAllocator;
  Mark(const PageAllocatorCursors& cursors, const std::array<std::size_t, kFreeSpaces>& changes)
      : cursors_(cursors), changes_(changes) {}

  PageAllocatorCursors cursors_;
  std::array<std::size_t, kFreeSpaces> changes_;  ///< of what is free
};

}  // namespace onecast::pages
