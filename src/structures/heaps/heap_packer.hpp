#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/file_context.hpp"
#include "format/infra/global_heap.hpp"

namespace onecast {

/// Packs values into collections of the global heap, one after the other. A collection gets its
/// place when it is begun, and its bytes go there when no more fits. The first is small and those
/// behind it grow, so that few values waste little and many lie in few pieces. The same values
/// always make the same collections.
class HeapPacker {
 public:
  /// Where collections go.
  class Target {
   public:
    virtual ~Target() = default;
    /// The place of the next collection, of at most `size` bytes.
    virtual Address begin(std::uint64_t size) = 0;
    /// The bytes of that collection: of `begun` bytes fewer may be in use.
    virtual void complete(Address address, std::span<const std::byte> bytes,
                          std::uint64_t begun) = 0;
    /// It is complete, and got values from `from` on: only behind pause().
    virtual void extend(Address /*address*/, std::span<const std::byte> /*bytes*/,
                        std::size_t /*from*/) {}
  };

  HeapPacker(const FileContext& file, Target& target) : file_(&file), target_(&target) {}

  GlobalHeapId put(ByteView value);
  /// Completes the collection that is open, if any; the next value begins a new series.
  void finish();
  /// Completes it, but what fits there still goes there.
  void pause();

  [[nodiscard]] bool is_open() const { return !bytes_.empty(); }
  [[nodiscard]] Address address() const { return address_; }
  /// Of the open collection: bytes, and how many objects it has.
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::uint64_t objects() const { return last_index_; }
  /// What the open collection would be if it were complete.
  [[nodiscard]] std::vector<std::byte> snapshot() const;

 private:
  [[nodiscard]] std::uint64_t object_size(std::uint64_t value) const;
  void begin(std::uint64_t needed);
  void complete();
  void close();
  /// Ends `bytes`, of which `used_` are used: their size is in the prefix, the rest is free space.
  void seal(std::span<std::byte> bytes) const;

  const FileContext* file_;
  Target* target_;
  Address address_;
  std::vector<std::byte> bytes_;  ///< of the open collection; empty: there is none
  std::uint64_t used_ = 0;
  std::uint64_t completed_ = 0;  ///< as much of it as the target has
  std::uint64_t next_size_ = kSmallest;
  std::uint16_t last_index_ = 0;

  /// Stock HDF5 reads none that is smaller.
  static constexpr std::uint64_t kSmallest = 4096;
  static constexpr std::uint64_t kUsual = std::uint64_t{64} << 10U;
};

}  // namespace onecast
