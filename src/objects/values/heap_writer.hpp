#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/heaps/heap_packer.hpp"

namespace onecast::tree {
class FileState;
}  // namespace onecast::tree

namespace onecast::values {

/// Values that all ranks put into the global heap alike: each gives the same places, and one rank
/// writes. They go where values were that nothing refers to since the last flush, and where a
/// collection has room; else into new collections. What the file on disk refers to stays as it is.
class HeapWriter final : private HeapPacker::Target {
 public:
  explicit HeapWriter(FileState& file) : file_(file) {}

  /// `keep`: all ranks may want to read it before the next flush.
  GlobalHeapId put(ByteView value, bool keep);
  /// Writes what is new. An error of the rank that writes waits for the next flush.
  void finish();
  /// This rank found that elements referred to these objects of a collection before they were
  /// written again. What no flush has seen is free at once, without a communicator. Does not
  /// communicate.
  void drop(Address collection, const HeapCollection& there,
            const std::set<std::uint32_t>& objects);
  [[nodiscard]] bool has_dropped() const { return !dropped_.empty(); }
  /// All ranks found that what was written is going to the file: nothing refers to dropped objects
  /// any more. They are free after the flush. @collective
  void release_dropped();
  /// Something that was written is not: some of those elements stay as they are.
  void keep_dropped() { dropped_.clear(); }
  /// A flush has succeeded: all is in the file.
  void forget();

  /// Of a collection that is not, for all ranks, in the file yet: how often anything was put into
  /// the heap; else 0.
  [[nodiscard]] std::uint64_t revision(Address collection) const;
  struct Piece {
    Address address;
    std::vector<std::byte> bytes;
  };
  /// What is not in the file of such a collection: a piece behind the other.
  [[nodiscard]] std::vector<Piece> pending(Address collection) const;

 private:
  std::optional<HeapRoom> reuse(std::uint64_t size) override;
  Address begin(std::uint64_t size) override;
  void complete(const HeapRoom& room, std::span<const std::byte> bytes,
                std::uint64_t used) override;
  void store(const HeapRoom& room, std::span<const std::byte> bytes);
  [[nodiscard]] bool is_fresh(const HeapRoom& room) const;
  void cut_kept(const HeapRoom& room);
  void free_useless();
  bool write_or_lose(const HeapRoom& room, std::span<const std::byte> bytes);
  void write(const HeapRoom& room, std::span<const std::byte> bytes);

  [[nodiscard]] bool is_open(Address collection) const {
    return packer_ && packer_->is_open() && packer_->room().collection == collection;
  }

  FileState& file_;
  std::uint64_t puts_ = 0;
  std::optional<HeapPacker> packer_;
  bool keep_ = false;  ///< the open room
  using Pieces = std::map<Address, std::vector<std::byte>>;
  static Address end_of(const Pieces::value_type& piece) {
    return piece.first + piece.second.size();
  }
  std::unordered_map<Address, Pieces> kept_;  ///< by collection
  IntervalSet fresh_;  ///< bytes of values that were put since the last flush, and written
  /// Of such values: nothing has ever referred to them on the disk.
  std::vector<HeapRoom> useless_;
  /// Since the last flush, values were put into these collections; their sizes, 0: not known.
  std::unordered_map<Address, std::uint64_t> packed_;

  /// Extents are from the start of the collection.
  using Extent = HeapCollection::Extent;
  struct Dropped {
    std::uint64_t size, count;  ///< size 0: not known
    bool has_indexes_of_places;
    Extent free_space;
    std::set<Extent> objects{};
  };
  using AllDropped = std::map<Address, Dropped>;
  /// As if it had been in the file before.
  static Dropped later(const HeapRoom& room);
  static void add(AllDropped& to, Address collection, const Dropped& more);
  [[nodiscard]] AllDropped gather_dropped();
  void release(Address collection, const Dropped& dropped);

  AllDropped dropped_;  ///< by this rank
};

/// Takes place for raw data, on all ranks alike.
Address take_heap_place(FileState& file, std::uint64_t size);

}  // namespace onecast::values
