#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "comm/node/memory_file.hpp"

namespace onecast::comm {

/// Bytes that one rank makes and other ranks of its node use, in memory that they share. What a
/// rank changes in them later becomes its own: the system copies the pages of memory that the rank
/// writes. The shared memory has no name, so nothing of it is left when the last rank ends,
/// whatever ends it. Where the system refuses such memory, the bytes are those of one rank.
class NodeBuffer {
 public:
  NodeBuffer() = default;
  explicit NodeBuffer(Buffer own) : own_(std::move(own)) {}

  /// Makes room for `size` bytes that other ranks may use. Less than share_from() bytes, and bytes
  /// for which the system refuses shared memory, are not offered. Throws std::bad_alloc.
  static NodeBuffer to_share(std::size_t size);
  /// Makes `size` bytes in a file that this rank has made; empty if the system refuses.
  static NodeBuffer in(MemoryFile file, std::size_t size);
  /// Finds bytes that a rank of this node offers; empty if they are out of reach. `are_there`: they
  /// are complete, and none is looked at otherwise.
  static NodeBuffer find(const NodeOffer& offer, bool are_there = true);

  /// Copying fewer bytes costs less than sharing them: 256 KiB, or ONECAST_SHARE_FROM, with which
  /// tests share less.
  static std::size_t share_from();
  /// Fewer ranks get copies, which takes less time: the system enters each page of shared memory by
  /// itself.
  static constexpr int kSharingRanks = 4;

  /// Not made if no rank can use the bytes.
  [[nodiscard]] NodeOffer offer() const { return file_.offer(size()); }
  /// Must be called when all bytes are written: from then on changes of span() are this rank's own.
  /// It may move the bytes. If the system refuses, they are not offered any more. Throws
  /// std::bad_alloc.
  void seal();
  /// No further rank looks for the bytes; `is_shared`: others have found them.
  void end_offer(bool is_shared = false) {
    is_shared_ = is_shared;
    file_.close();
  }
  /// True if several ranks use this memory.
  [[nodiscard]] bool is_shared() const { return is_shared_; }

  [[nodiscard]] std::byte* data() { return is_mapped() ? mapped().get() : own_.data(); }
  [[nodiscard]] const std::byte* data() const { return is_mapped() ? mapped().get() : own_.data(); }
  [[nodiscard]] std::size_t size() const {
    return is_mapped() ? mapped().get_deleter().size : own_.size();
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::byte* end() { return data() + size(); }
  [[nodiscard]] std::span<std::byte> span() { return {data(), size()}; }
  [[nodiscard]] std::span<const std::byte> span() const { return {data(), size()}; }

  /// The memory as all ranks of the node see it, except where they have changed it for themselves;
  /// empty unless this rank made it.
  [[nodiscard]] std::span<std::byte> of_all_ranks() {
    return {of_all_.get(), of_all_ ? of_all_.get_deleter().size : 0};
  }
  /// Frees these bytes of the memory, on all ranks, if this rank made it. Nobody may use them.
  void free_part(std::size_t from, std::size_t bytes);

 private:
  using Mapped = std::unique_ptr<std::byte, UnmapBuffer>;

  [[nodiscard]] bool is_mapped() const { return mapped_ || of_all_; }
  [[nodiscard]] const Mapped& mapped() const { return mapped_ ? mapped_ : of_all_; }

  Buffer own_;
  Mapped mapped_;    ///< as this rank sees it
  Mapped of_all_;    ///< set on the rank that made it
  MemoryFile file_;  ///< open while other ranks look for it
  bool is_shared_ = false;
};

}  // namespace onecast::comm
