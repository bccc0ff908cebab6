#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/heaps/heap_packer.hpp"

namespace onecast::memory {

/// Values of variable length that only this rank can read. They stay in memory, in collections with
/// addresses that no file has, until the flush puts them into the heap of all ranks.
class PrivateHeap final : private HeapPacker::Target {
 public:
  GlobalHeapId put(ByteView value, const FileContext& file);
  void clear();

  /// Returns a place for metadata beside headers that also only this rank can read.
  Address take(std::uint64_t size, const FileContext& file);
  /// Returns the start of all private places: the upper half of what an offset can express. No file
  /// is that large.
  static Address first_place(const FileContext& file) {
    return Address{std::uint64_t{1} << (8U * file.size_of_offsets - 1U)};
  }

  [[nodiscard]] bool has(Address collection) const {
    return is_open(collection) || collections_.contains(collection);
  }
  /// Returns a number that changes with the contents.
  [[nodiscard]] std::uint64_t revision() const { return puts_; }
  [[nodiscard]] std::vector<std::byte> collection(Address collection) const;

 private:
  Address begin(std::uint64_t size) override;
  void complete(const HeapRoom& room, std::span<const std::byte> bytes,
                std::uint64_t used) override;
  [[nodiscard]] bool is_open(Address collection) const {
    return packer_ && packer_->is_open() && packer_->room().collection == collection;
  }

  std::optional<HeapPacker> packer_;
  std::unordered_map<Address, std::vector<std::byte>> collections_;
  std::uint64_t next_ = 0;
  std::uint64_t puts_ = 0;  ///< never 0 again
};

}  // namespace onecast::memory
