#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "structures/heaps/heap_packer.hpp"

namespace onecast {

class FileState;

/// Values that all ranks put into the global heap alike: each gives the same places, and rank 0
/// writes. A collection is open until it is full or until flush. Nothing is added to one that a
/// flush has written: what the file on disk refers to never changes.
class HeapWriter final : private HeapPacker::Target {
 public:
  explicit HeapWriter(FileState& file) : file_(file) {}

  /// `keep`: all ranks may want to read it before the next flush.
  GlobalHeapId put(ByteView value, bool keep);
  /// Writes what is open. An error of rank 0 waits for the next flush.
  void finish();
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

  [[nodiscard]] bool is_open(Address collection) const {
    return packer_ && packer_->is_open() && packer_->address() == collection;
  }

  FileState& file_;
  std::uint64_t puts_ = 0;
  std::optional<HeapPacker> packer_;
  bool keep_ = false;  ///< the open collection
  std::unordered_map<Address, std::vector<std::byte>> kept_;
};

/// Takes place for raw data, on all ranks alike.
Address take_heap_place(FileState& file, std::uint64_t size);

}  // namespace onecast
