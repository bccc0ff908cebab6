#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "format/infra/global_heap.hpp"
#include "structures/heaps/heap_room.hpp"

namespace onecast::structures {

/// Packs values into collections of the global heap, one after the other: where a collection has
/// room, or into new ones. A new collection gets its place when it is begun, and its bytes go there
/// when no more fits. The first is small and those behind it grow, so that few values waste little
/// and many lie in few pieces. The same values always make the same collections.
class HeapPacker {
 public:
  /// Where collections go.
  class Target {
   public:
    virtual ~Target() = default;
    /// Room for an object of `size` bytes in a collection, if there is any.
    virtual std::optional<HeapRoom> reuse(std::uint64_t /*size*/) { return std::nullopt; }
    /// The place of the next collection, of at most `size` bytes.
    virtual Address begin(std::uint64_t size) = 0;
    /// The bytes that belong there: of a new collection all that it has, which may be fewer than
    /// were begun; else the new objects and, if something is left, a prefix of its own for that.
    /// @param used so many bytes are in use; the rest is free
    virtual void complete(const HeapRoom& room, std::span<const std::byte> bytes,
                          std::uint64_t used) = 0;
  };

  HeapPacker(const FileContext& file, Target& target) : file_(&file), target_(&target) {}

  GlobalHeapId put(ByteView value);
  /// Completes the room that is open, if any; the next value begins a new series.
  void finish();

  [[nodiscard]] bool is_open() const { return room_.size != 0; }
  [[nodiscard]] const HeapRoom& room() const { return room_; }
  /// What the open room would have if it were complete.
  [[nodiscard]] std::vector<std::byte> snapshot() const;

 private:
  void open(std::uint64_t needed);
  void close();

  const FileContext* file_;
  Target* target_;
  HeapRoom room_;  ///< that is open; of size 0: none
  std::vector<std::byte> bytes_;
  std::uint64_t used_ = 0;
  std::uint64_t next_size_ = kSmallest;

  /// Stock HDF5 reads none that is smaller.
  static constexpr std::uint64_t kSmallest = 4096;
  static constexpr std::uint64_t kUsual = std::uint64_t{64} << 10U;
};

/// The prefix that stands for all of a room from `used` bytes on: of free space where the room ends
/// its collection, else of an object that nothing refers to. Empty if nothing is left.
std::vector<std::byte> prefix_of_rest(const FileContext& file, const HeapRoom& room,
                                      std::uint64_t used);

}  // namespace onecast::structures
