#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "structures/heaps/heap_packer.hpp"

namespace onecast {

class FileState;

/// Values that all ranks put into the global heap alike: each gives the same places, and one rank
/// writes. A collection is open until it is full, also behind a flush: so many flushes with few
/// values each share one. What the file on disk refers to there stays as it is.
class HeapWriter final : private HeapPacker::Target {
 public:
  explicit HeapWriter(FileState& file) : file_(file) {}

  /// `keep`: all ranks may want to read it before the next flush.
  GlobalHeapId put(ByteView value, bool keep);
  /// Writes what is new. An error of the rank that writes waits for the next flush.
  void finish();
  /// This rank found that elements referred to these objects of a collection, which has `size`
  /// bytes and `count` objects, before they were written again.
  void drop(Address collection, std::uint64_t size, std::uint64_t count,
            const std::set<std::uint32_t>& objects);
  [[nodiscard]] bool has_dropped() const { return !dropped_.empty(); }
  /// All ranks found that what was written is going to the file: nothing refers to dropped objects
  /// any more. A collection without others is free after the flush. @collective
  void release_dropped();
  /// Something that was written is not: some of those elements stay as they are.
  void keep_dropped() { dropped_.clear(); }
  /// A flush has succeeded: all is in the file.
  void forget() { kept_.clear(); }

  /// Of a collection that is not, for all ranks, in the file yet: how often anything was put into
  /// the heap; else 0.
  [[nodiscard]] std::uint64_t revision(Address collection) const;
  /// The bytes of such a collection.
  [[nodiscard]] std::vector<std::byte> pending(Address collection) const;

 private:
  Address begin(std::uint64_t size) override;
  void complete(Address address, std::span<const std::byte> bytes, std::uint64_t begun) override;
  void extend(Address address, std::span<const std::byte> bytes, std::size_t from) override;
  void store(Address address, std::span<const std::byte> bytes, std::size_t from);
  bool write_or_lose(Address address, std::span<const std::byte> bytes, std::size_t from);

  [[nodiscard]] bool is_open(Address collection) const {
    return packer_ && packer_->is_open() && packer_->address() == collection;
  }

  FileState& file_;
  std::uint64_t puts_ = 0;
  std::optional<HeapPacker> packer_;
  bool keep_ = false;  ///< the open collection
  /// Of the open collection: from there on it may not be in the file, if this rank writes.
  std::optional<std::size_t> unwritten_from_;
  std::unordered_map<Address, std::vector<std::byte>> kept_;
  struct Dropped {
    std::uint64_t size, count;
    std::set<std::uint32_t> objects{};
  };
  using AllDropped = std::map<Address, Dropped>;
  static void add(AllDropped& to, Address collection, const Dropped& more);
  [[nodiscard]] AllDropped gather_dropped();

  AllDropped dropped_;  ///< by this rank
  /// Of collections that are in use: what nothing refers to, as far as this session knows.
  std::unordered_map<Address, std::set<std::uint32_t>> unused_;
};

/// Takes place for raw data, on all ranks alike.
Address take_heap_place(FileState& file, std::uint64_t size);

}  // namespace onecast
