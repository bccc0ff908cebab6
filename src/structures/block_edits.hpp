#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Copies of blocks that structures in the file are about to change in place, and new blocks. The
/// source stays unchanged until these blocks have been written. As a source, BlockEdits shows the
/// blocks as they will be.
class BlockEdits final : public MetadataSource {
 public:
  /// Allocates free space and returns its address.
  using Take = std::function<Address(std::uint64_t bytes)>;

  BlockEdits(MetadataSource& stored, Take take) : stored_(stored), take_(std::move(take)) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] const FileContext& file() const override { return stored_.file(); }
  /// The source with the blocks as they are in the file.
  [[nodiscard]] MetadataSource& stored() const { return stored_; }

  /// A block that will be written. Its memory stays valid as long as the edits.
  std::span<std::byte> change(Address address, std::uint64_t size, const char* what);
  /// A block of which only the touched parts will be written.
  std::span<std::byte> open(Address address, std::uint64_t size, const char* what);
  void touch(Address address, std::uint64_t size);
  /// Adds a new block of zeros, which will be written.
  Address add(std::uint64_t size);
  /// Notes that the space is unused once everything is written.
  void release(Address address, std::uint64_t size) { released_.push_back({address, size}); }

  /// Calls `each(address, bytes)` for what will be written, in the order of addresses.
  template <class F>
  void for_each_touched(F&& each) const {
    for (const auto& [address, block] : blocks_)
      for (const FileRange& range : block.touched)
        each(range.address,
             ByteView(block.bytes)
                 .subspan(static_cast<std::size_t>(range.address.value - address.value),
                          static_cast<std::size_t>(range.size)));
  }
  [[nodiscard]] const std::vector<FileRange>& added() const { return added_; }
  [[nodiscard]] const std::vector<FileRange>& released() const { return released_; }

 private:
  struct Block {
    std::vector<std::byte> bytes;
    std::vector<FileRange> touched;
  };
  /// The block that contains this byte, or the end.
  [[nodiscard]] std::map<Address, Block>::iterator holding(Address address);

  MetadataSource& stored_;
  Take take_;
  std::map<Address, Block> blocks_;
  std::vector<FileRange> added_;
  std::vector<FileRange> released_;
};

}  // namespace onecast::structures
