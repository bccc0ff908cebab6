#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Blocks that structures in the file are about to change where they lie, and new ones: copies, so
/// the source stays as it is until what is here has been written. Seen as a source, it shows the
/// blocks as they will be.
class BlockEdits final : public MetadataSource {
 public:
  /// Gives the address of so much free space.
  using Take = std::function<Address(std::uint64_t bytes)>;
  struct Range {
    Address address;
    std::uint64_t size = 0;
  };

  BlockEdits(MetadataSource& stored, Take take) : stored_(stored), take_(std::move(take)) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override;
  [[nodiscard]] const FileContext& file() const override { return stored_.file(); }
  /// As the blocks are in the file.
  [[nodiscard]] MetadataSource& stored() const { return stored_; }

  /// A block to be written. It stays where it is until the edits go.
  std::span<std::byte> change(Address address, std::uint64_t size, const char* what);
  /// A block of which only what is touched will be written.
  std::span<std::byte> open(Address address, std::uint64_t size, const char* what);
  void touch(Address address, std::uint64_t size);
  /// A new block of zeros, to be written.
  Address add(std::uint64_t size);
  /// Is not used any more, once all is written.
  void release(Address address, std::uint64_t size) { released_.push_back({address, size}); }

  /// What is to be written, by address.
  template <class F>
  void for_each_touched(F&& each) const {
    for (const auto& [address, block] : blocks_)
      for (const Range& range : block.touched)
        each(range.address,
             ByteView(block.bytes)
                 .subspan(static_cast<std::size_t>(range.address.value - address.value),
                          static_cast<std::size_t>(range.size)));
  }
  [[nodiscard]] const std::vector<Range>& added() const { return added_; }
  [[nodiscard]] const std::vector<Range>& released() const { return released_; }

 private:
  struct Block {
    std::vector<std::byte> bytes;
    std::vector<Range> touched;
  };
  /// The block that has this byte, or the end.
  [[nodiscard]] std::map<Address, Block>::iterator holding(Address address);

  MetadataSource& stored_;
  Take take_;
  std::map<Address, Block> blocks_;
  std::vector<Range> added_;
  std::vector<Range> released_;
};

}  // namespace onecast::structures
