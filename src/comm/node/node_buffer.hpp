#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"

namespace onecast::comm {

/// The place where other ranks of the node find the bytes of a NodeBuffer.
struct NodeOffer {
  std::uint64_t number = 0;  ///< a random number
  std::int32_t process = 0;
  std::int32_t descriptor = -1;
  std::uint64_t size = 0;

  [[nodiscard]] bool is_made() const { return descriptor >= 0; }
};

/// Frees the memory of a NodeBuffer of this size.
struct UnmapBuffer {
  std::size_t size = 0;

  void operator()(std::byte* bytes) const;
};

/// Bytes that one rank makes and other ranks of its node use, in memory that they share. What a
/// rank changes in them later becomes its own: the system copies the pages of memory that the rank
/// writes. The shared memory has no name, so nothing of it is left when the last rank ends,
/// whatever ends it. Where the system refuses such memory, the bytes are those of one rank.
class NodeBuffer {
 public:
  NodeBuffer() = default;
  explicit NodeBuffer(Buffer own) : own_(std::move(own)) {}
  NodeBuffer(NodeBuffer&& other) noexcept { *this = std::move(other); }
  NodeBuffer& operator=(NodeBuffer&& other) noexcept;
  NodeBuffer(const NodeBuffer&) = delete;
  NodeBuffer& operator=(const NodeBuffer&) = delete;
  ~NodeBuffer() { end_offer(); }

  /// Makes room for `size` bytes that other ranks may use. Less than share_from() bytes, and bytes
  /// for which the system refuses shared memory, are not offered. Throws std::bad_alloc.
  static NodeBuffer to_share(std::size_t size);
  /// Finds bytes that a rank of this node offers; empty if they are out of reach.
  static NodeBuffer find(const NodeOffer& offer);

  /// Copying fewer bytes costs less than sharing them: 256 KiB, or ONECAST_SHARE_FROM, with which
  /// tests share less.
  static std::size_t share_from();

  /// Not made if no rank can use the bytes.
  [[nodiscard]] NodeOffer offer() const { return offer_; }
  /// Must be called when all bytes are written: from then on changes are this rank's own. It may
  /// move the bytes. If the system refuses, they are not offered any more. Throws std::bad_alloc.
  void seal();
  /// No further rank looks for the bytes; `is_shared`: others have found them.
  void end_offer(bool is_shared = false);
  /// True if several ranks use this memory.
  [[nodiscard]] bool is_shared() const { return is_shared_; }

  [[nodiscard]] std::byte* data() { return mapped_ ? mapped_.get() : own_.data(); }
  [[nodiscard]] const std::byte* data() const { return mapped_ ? mapped_.get() : own_.data(); }
  [[nodiscard]] std::size_t size() const {
    return mapped_ ? mapped_.get_deleter().size : own_.size();
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::byte* end() { return data() + size(); }
  [[nodiscard]] std::span<std::byte> span() { return {data(), size()}; }
  [[nodiscard]] std::span<const std::byte> span() const { return {data(), size()}; }

 private:
  Buffer own_;
  std::unique_ptr<std::byte, UnmapBuffer> mapped_;
  NodeOffer offer_;  ///< of this rank
  bool is_shared_ = false;
};

}  // namespace onecast::comm
