#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// The place where other ranks of the node find memory of one rank.
struct NodeOffer {
  std::uint64_t number = 0;  ///< a random number
  std::int32_t process = 0;
  std::int32_t descriptor = -1;
  std::uint64_t size = 0;  ///< 0: not known yet

  /// The process has the memory under a descriptor that only it knows.
  static constexpr std::int32_t kAnyDescriptor = std::numeric_limits<std::int32_t>::max();

  [[nodiscard]] bool is_made() const { return descriptor >= 0; }
};

/// Returns nothing if the system has no random bytes at once.
std::optional<std::uint64_t> random_number();

/// Frees mapped memory of this size.
struct UnmapBuffer {
  std::size_t size = 0;

  void operator()(std::byte* bytes) const;
};

/// A file in memory, which other ranks of the node find by its offer. It has no name, so nothing of
/// it is left when the last rank that mapped it ends, whatever ends it.
class MemoryFile {
 public:
  MemoryFile() = default;
  MemoryFile(MemoryFile&& other) noexcept { *this = std::move(other); }
  MemoryFile& operator=(MemoryFile&& other) noexcept;
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(); }

  /// Makes an empty file. Not open if the system refuses.
  static MemoryFile make() noexcept;
  /// Makes one with this number, which no other file in memory of the process has.
  static MemoryFile make(std::uint64_t number) noexcept;
  /// Finds the file that a rank of this node offers. Not open if it is out of reach.
  static MemoryFile find(const NodeOffer& offer) noexcept;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// True if this rank made the file, and so writes it.
  [[nodiscard]] bool is_made_here() const { return is_open() && made_here_; }
  /// The offer of `size` bytes. Not made if this rank has not made the file, or has closed it.
  [[nodiscard]] NodeOffer offer(std::size_t size = 0) const;

  /// The bytes for which the file has memory; 0 if it is not open.
  [[nodiscard]] std::size_t size() const;
  /// Gives the file memory for `size` bytes. Returns false if the system refuses.
  bool allocate(std::size_t size);
  /// Maps the file for writing by the rank that made it. Returns null if the system refuses.
  [[nodiscard]] std::byte* map_to_write(std::size_t size) const;
  /// Maps the file as this rank's own: the system copies the pages of memory that the rank writes.
  /// `enter` enters all pages at once; all bytes must be there. Returns null if the system refuses.
  [[nodiscard]] std::byte* map_own(std::size_t size, bool enter) const;
  void close();

 private:
  int descriptor_ = -1;
  bool made_here_ = false;
  std::uint64_t number_ = 0;
};

/// A file in memory for the ranks of a node: the one rank that made it has it, and all know where
/// it is.
struct NodeFile {
  MemoryFile made;
  NodeOffer offer;  ///< not made: the ranks of this node share nothing
};

}  // namespace onecast::comm
