#pragma once

#include <algorithm>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/block_edits.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// Changes a stored index of chunks in place: only what leads to a changed chunk is read and
/// written. Piece 0 is what the Data Layout message refers to; an index that became empty has no
/// pieces. All calls throw Error (format) if what they need is damaged.
class ChunkIndexEdit : public Pieces {
 public:
  /// Removes a chunk if it exists. All removals come before the first set().
  virtual void remove(const ChunkCoordinates& at) = 0;
  /// Sets a chunk that is new or has a new place.
  virtual void set(const ChunkEntry& chunk) = 0;
  /// Must be called after the last change.
  virtual void finish() = 0;

  /// The space that is no longer used.
  [[nodiscard]] virtual std::vector<FileRange> released() const = 0;
};

/// A ChunkIndexEdit that changes copies of the blocks.
class ChunkBlocksEdit : public ChunkIndexEdit {
 public:
  [[nodiscard]] std::vector<FileRange> released() const final { return blocks_.released(); }
  [[nodiscard]] std::size_t count() const final { return touched_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t piece) const final {
    return touched_[piece].bytes.size();
  }
  [[nodiscard]] std::vector<Address> allocate(const Take& /*take*/) const final {
    std::vector<Address> addresses;
    addresses.reserve(touched_.size());
    for (const Touched& t : touched_) addresses.push_back(t.address);
    return addresses;
  }
  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> /*addresses*/,
              const FileContext& /*file*/) const final {
    std::ranges::copy(touched_[piece].bytes, out.begin());
  }

 protected:
  ChunkBlocksEdit(MetadataSource& source, Take take) : blocks_(source, std::move(take)) {}

  /// Must be called when all blocks are final. `header`: what the message refers to.
  void finish_blocks(Address header) {
    touched_.push_back({header, {}});
    blocks_.for_each_touched(
        [&](Address address, ByteView bytes) { touched_.push_back({address, bytes}); });
  }

  BlockEdits blocks_;

 private:
  struct Touched {
    Address address;
    ByteView bytes;
  };
  std::vector<Touched> touched_;
};

}  // namespace onecast::structures
