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

/// Packs values into collections of the global heap, in order: into room of existing collections,
/// or into new ones. A new collection gets its place when it is begun, and its bytes are written
/// when no more fits. The first one is small and later ones grow, so that few values waste little
/// space and many values lie in few pieces. Equal values always give equal collections.
class HeapPacker {
 public:
  /// The receiver of collections.
  class Target {
   public:
    virtual ~Target() = default;
    /// Room for an object of `size` bytes in a collection, if there is any.
    virtual std::optional<HeapRoom> reuse(std::uint64_t /*size*/) { return std::nullopt; }
    /// Allocates the place of the next collection, of at most `size` bytes.
    virtual Address begin(std::uint64_t size) = 0;
    /// Takes the bytes of a room: of a new collection all its bytes, which may be fewer than
    /// begin() allocated; of a reused room the new objects and, if space is left, a prefix for it.
    /// @param used the number of bytes in use; the rest is free
    virtual void complete(const HeapRoom& room, std::span<const std::byte> bytes,
                          std::uint64_t used) = 0;
  };

  HeapPacker(const FileContext& file, Target& target) : file_(&file), target_(&target) {}

  GlobalHeapId put(ByteView value);
  /// Completes the open room, if any; the next value begins a new series.
  void finish();

  [[nodiscard]] bool is_open() const { return room_.size != 0; }
  [[nodiscard]] const HeapRoom& room() const { return room_; }
  /// The bytes that the open room would have if it were complete.
  [[nodiscard]] std::vector<std::byte> snapshot() const;

 private:
  void open(std::uint64_t needed);
  void close();

  const FileContext* file_;
  Target* target_;
  HeapRoom room_;  ///< the open room; none if its size is 0
  std::vector<std::byte> bytes_;
  std::uint64_t used_ = 0;
  std::uint64_t next_size_ = kSmallest;

  /// Stock HDF5 does not read smaller collections.
  static constexpr std::uint64_t kSmallest = 4096;
  static constexpr std::uint64_t kUsual = std::uint64_t{64} << 10U;
};

/// The prefix of a room's unused rest after `used` bytes: of free space if the room ends its
/// collection, otherwise of an object that nothing refers to. Empty if there is no rest.
std::vector<std::byte> prefix_of_rest(const FileContext& file, const HeapRoom& room,
                                      std::uint64_t used);

}  // namespace onecast::structures
