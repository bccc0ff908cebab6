#pragma once

#include <algorithm>
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

/// Metadata read on demand, in blocks: neighbours of what was read before are read in ever larger
/// ones, since metadata lies together more often than not. Any number of threads may view at once;
/// they wait for each other only while one reads.
class BlockCache final : public MetadataSource {
 public:
  /// `base` is the superblock's base address: where address 0 lies in the file.
  BlockCache(const FileContext& file, Transport& transport, std::uint64_t base, std::uint64_t end)
      : file_(file), transport_(transport), base_(base), end_(end) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  ByteView view_from(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] const FileContext& file() const override { return file_; }

  /// Bytes that are known already; those behind the end are left out.
  void add(Address address, Buffer bytes);
  /// Bytes that are to be seen instead of those in the file, before anybody has looked at them.
  void replace(Address address, ByteView bytes);
  [[nodiscard]] bool is_inside(Address address, std::uint64_t length) const {
    return address.is_defined() && address.value <= end_ && length <= end_ - address.value;
  }
  /// The address behind the last byte.
  [[nodiscard]] const std::uint64_t& end() const { return end_; }
  /// Copies bytes, read on demand, that may lie in several blocks.
  void copy(Address address, std::span<std::byte> out);
  /// Bytes held; they stay as long as this, since views must.
  [[nodiscard]] std::uint64_t bytes() const {
    const std::shared_lock lock(mutex_);
    return bytes_;
  }
  /// Read calls made so far.
  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] const ExtentMap& extents() const { return extents_; }
  /// Reads no larger blocks, but for kSmallestBlock.
  void read_at_most(std::uint64_t bytes) {
    largest_ = std::clamp(bytes, kSmallestBlock, kLargestBlock);
  }

  static constexpr std::uint64_t kFirstBlock = std::uint64_t{1} << 20U;
  static constexpr std::uint64_t kSmallestBlock = std::uint64_t{64} << 10U;
  static constexpr std::uint64_t kLargestBlock = std::uint64_t{8} << 20U;

 private:
  void require_inside(Address address, std::uint64_t length, const char* what) const;
  [[nodiscard]] std::optional<ByteView> known(Address address, std::uint64_t length) const;
  ByteView view_large(Address address, std::uint64_t length);
  ByteView stitch(Address address, Buffer bytes);
  void read_block(Address address);
  void read(Address address, std::span<std::byte> out);
  void keep(Address address, Buffer bytes);
  void copy_locked(Address address, std::span<std::byte> out);
  [[nodiscard]] std::size_t copy_known(Address address, std::span<std::byte> out) const;

  const FileContext& file_;
  Transport& transport_;
  std::uint64_t base_;
  std::uint64_t end_;          ///< address behind the last byte
  mutable SharedMutex mutex_;  ///< of all that follows
  std::uint64_t reads_ = 0;
  std::uint64_t bytes_ = 0;
  ExtentMap extents_;
  std::list<Buffer> buffers_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Buffer> stitched_;
  std::uint64_t largest_ = kLargestBlock;
};

}  // namespace onecast::pages
