#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "pages/extent_map.hpp"
#include "structures/metadata_source.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// Reads metadata on demand, in blocks. A block that follows a known one is larger than it, since
/// metadata mostly lies together. Any number of threads may view at once; they wait for each other
/// only while one of them reads.
class BlockCache final : public MetadataSource {
 public:
  /// `base` is the superblock's base address, the offset of address 0 in the file.
  BlockCache(const FileContext& file, Transport& transport, std::uint64_t base, std::uint64_t end)
      : file_(file), transport_(transport), base_(base), end_(end) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  ByteView view_from(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] const FileContext& file() const override { return file_; }

  /// Adds bytes that are known already; bytes beyond the end are ignored.
  void add(Address address, Buffer bytes);
  /// Adds bytes that hide those of the file. Must be called before any view of them.
  void replace(Address address, ByteView bytes);
  [[nodiscard]] bool is_inside(Address address, std::uint64_t length) const {
    const std::uint64_t last = end_;
    return address.is_defined() && address.value <= last && length <= last - address.value;
  }
  /// Returns the bytes if one block has all of them; it reads nothing.
  [[nodiscard]] std::optional<ByteView> in_memory(Address address, std::uint64_t length) const {
    const std::shared_lock lock(mutex_);
    return extents_.find(address, length);
  }
  /// The address after the last byte.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Copies bytes, which may lie in several blocks, and reads them on demand.
  void copy(Address address, std::span<std::byte> out);
  /// The number of bytes in memory. They are kept as long as this object, since views must stay
  /// valid.
  [[nodiscard]] std::uint64_t bytes() const {
    const std::shared_lock lock(mutex_);
    return bytes_;
  }
  /// The number of read calls so far.
  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] const ExtentMap& extents() const { return extents_; }
  /// Limits the size of blocks, but not below kSmallestBlock.
  void read_at_most(std::uint64_t bytes) {
    largest_ = std::clamp(bytes, kSmallestBlock, kLargestBlock);
  }

  /// Reads what is viewed and no more, so that what was read later is never older than what led to
  /// it. For a file that another program writes.
  void read_exactly() { exact_ = true; }
  /// Lets later views read the file again, which ends at `end` now. Views stay valid.
  void read_again(std::uint64_t end);

  static constexpr std::uint64_t kFirstBlock = std::uint64_t{1} << 20U;
  static constexpr std::uint64_t kSmallestBlock = std::uint64_t{64} << 10U;
  static constexpr std::uint64_t kLargestBlock = std::uint64_t{8} << 20U;

 private:
  void require_inside(Address address, std::uint64_t length, const char* what) const;
  [[nodiscard]] std::optional<ByteView> known(Address address, std::uint64_t length) const;
  ByteView view_large(Address address, std::uint64_t length);
  ByteView look(Address address, std::uint64_t length, const char* what);
  ByteView stitch(Address address, Buffer bytes);
  void read_block(Address address);
  void read(Address address, std::span<std::byte> out);
  void keep(Address address, Buffer bytes);
  void copy_locked(Address address, std::span<std::byte> out);
  [[nodiscard]] std::size_t copy_known(Address address, std::span<std::byte> out) const;

  const FileContext& file_;
  Transport& transport_;
  std::uint64_t base_;
  std::atomic<std::uint64_t> end_;  ///< the address after the last byte
  mutable SharedMutex mutex_;       ///< guards all that follows
  std::uint64_t reads_ = 0;
  std::uint64_t bytes_ = 0;
  ExtentMap extents_;
  std::list<Buffer> buffers_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Buffer> stitched_;
  std::list<Buffer> stitched_before_;  ///< pieces that no new view finds
  std::uint64_t largest_ = kLargestBlock;
  bool exact_ = false;
};

}  // namespace onecast::pages
