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
#include "objects/files/file_state.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/heaps/heap_packer.hpp"

namespace onecast::values {

/// Puts values that all ranks have alike into the global heap: each rank gives equal places, and
/// one rank writes. Values go where the last flush has freed values and where a collection has
/// room, else into new collections. What the file on disk refers to is not overwritten.
class HeapWriter final : public SharedHeap, private HeapPacker::Target {
 public:
  explicit HeapWriter(FileState& file) : file_(file) {}

  /// `keep` is true if all ranks may read the value before the next flush.
  GlobalHeapId put(ByteView value, bool keep);
  void finish() override;
  /// Notes objects of a collection to which overwritten elements of this rank referred. Without a
  /// communicator, objects that no flush has seen are free at once. Does not communicate.
  void drop(Address collection, const HeapCollection& there,
            const std::set<std::uint32_t>& objects);
  [[nodiscard]] bool has_dropped() const { return !dropped_.empty(); }
  /// Frees dropped objects after the flush. Call it when all writes are known to reach the file, so
  /// that nothing refers to the objects any more. @collective
  void release_dropped();
  /// Keeps dropped objects, because a write failed and some of the old elements stay.
  void keep_dropped() { dropped_.clear(); }
  /// Forgets what was put since the last flush, after a flush has succeeded.
  void forget();

  /// Returns how often anything was put into the heap, for a collection that is not in the file for
  /// all ranks yet; else 0.
  [[nodiscard]] std::uint64_t revision(Address collection) const;
  struct Piece {
    Address address;
    std::vector<std::byte> bytes;
  };
  /// Returns the pieces of such a collection that are not in the file, in sequence.
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
  bool keep_ = false;  ///< true if the open room is kept
  using Pieces = std::map<Address, std::vector<std::byte>>;
  static Address end_of(const Pieces::value_type& piece) {
    return piece.first + piece.second.size();
  }
  std::unordered_map<Address, Pieces> kept_;  ///< by collection
  IntervalSet fresh_;  ///< the bytes of values that were put since the last flush and are written
  /// Rooms of such values to which nothing on the disk has ever referred.
  std::vector<HeapRoom> useless_;
  /// The collections into which values were put since the last flush, with their sizes; 0: not
  /// known.
  std::unordered_map<Address, std::uint64_t> packed_;

  /// Extents are relative to the start of the collection.
  using Extent = HeapCollection::Extent;
  struct Dropped {
    std::uint64_t size, count;  ///< size 0: not known
    bool has_indexes_of_places;
    Extent free_space;
    std::set<Extent> objects{};
  };
  using AllDropped = std::map<Address, Dropped>;
  /// Returns the room as if it had been in the file before.
  static Dropped later(const HeapRoom& room);
  static void add(AllDropped& to, Address collection, const Dropped& more);
  [[nodiscard]] AllDropped gather_dropped();
  void release(Address collection, const Dropped& dropped);

  AllDropped dropped_;  ///< those of this rank
};

/// Returns the file's writer, made by the first call.
HeapWriter& heap_of(FileState& file);
/// Returns the file's writer, or null if nothing was put into the heap yet, or dropped from it.
inline HeapWriter* known_heap(const FileState& file) {
  return static_cast<HeapWriter*>(file.heap().get());
}

/// Takes a place for raw data, on all ranks alike.
Address take_heap_place(FileState& file, std::uint64_t size);

}  // namespace onecast::values
