#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "objects/elements/packing.hpp"
#include "objects/memory/digest.hpp"
#include "objects/nodes/call_log.hpp"

namespace onecast::elements {

/// The elements of a write in stored form and packed: either in memory, or produced from the
/// caller's memory a part at a time. Any number of threads may call this at once.
class StoredElements {
 public:
  StoredElements(std::span<const std::byte> bytes) : bytes_(bytes) {}     // NOLINT
  StoredElements(const std::vector<std::byte>& bytes) : bytes_(bytes) {}  // NOLINT
  StoredElements(std::span<std::byte> bytes) : bytes_(bytes) {}           // NOLINT
  /// Elements that are packed by parts.
  StoredElements(const Packing& packing, std::span<const std::byte> memory)
      : packing_(&packing), bytes_(memory) {}

  [[nodiscard]] bool are_there() const { return packing_ == nullptr; }
  /// Returns all elements; requires are_there().
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  /// Adds `count` elements to the digest, by which ranks compare what they write. The division into
  /// pieces does not depend on are_there().
  void add_to(Digest& digest, std::uint64_t count, std::size_t element) const {
    const std::size_t most = std::max<std::size_t>(1, kConvertedAtOnce / element) * element;
    for_each_part(0, count, element, [&](std::uint64_t, std::span<const std::byte> part) {
      for (; part.size() > most; part = part.subspan(most)) digest.add(part.first(most));
      digest.add(part);
    });
  }
  /// Fills `out` with the elements from index `first` on; `element` is the size of one in bytes.
  void copy(std::uint64_t first, std::span<std::byte> out, std::size_t element) const {
    if (packing_ != nullptr)
      packing_->pack(bytes_, first, out);
    else if (!out.empty())
      std::memcpy(out.data(), bytes_.data() + first * element, out.size());
  }
  /// Calls each(first, bytes) for `count` elements from `first` on, once for all or by parts.
  template <class F>
  void for_each_part(std::uint64_t first, std::uint64_t count, std::size_t element,
                     F&& each) const {
    if (packing_ == nullptr)
      return each(first, bytes_.subspan(static_cast<std::size_t>(first) * element,
                                        static_cast<std::size_t>(count) * element));
    const std::uint64_t most = std::max<std::uint64_t>(1, kConvertedAtOnce / element);
    Buffer room(static_cast<std::size_t>(std::min(count, most)) * element);
    while (count != 0) {
      const std::uint64_t n = std::min(count, most);
      const auto part = room.span().first(static_cast<std::size_t>(n) * element);
      copy(first, part, element);
      each(first, std::span<const std::byte>(part));
      first += n;
      count -= n;
    }
  }

 private:
  const Packing* packing_ = nullptr;
  std::span<const std::byte> bytes_;  ///< the elements, or the caller's memory
};

/// The target of a read of packed elements: memory, or the caller's memory by way of a part at a
/// time.
class ElementTarget {
 public:
  ElementTarget(std::span<std::byte> bytes) : bytes_(bytes) {}  // NOLINT
  ElementTarget(const Packing& packing, std::span<std::byte> memory)
      : packing_(&packing), bytes_(memory) {}

  /// Returns true if elements lie in memory packed and in stored form.
  [[nodiscard]] bool is_direct() const { return packing_ == nullptr; }
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

  /// Takes the elements from index `first` on.
  void take(std::uint64_t first, std::span<const std::byte> elements, std::size_t element) const {
    if (packing_ != nullptr)
      packing_->unpack(elements, first, bytes_);
    else if (!elements.empty())
      std::memcpy(bytes_.data() + first * element, elements.data(), elements.size());
  }
  /// Sets the first `count` elements, each of `size` bytes, to `value`, or to zeros.
  void fill(std::uint64_t count, ByteView value, std::size_t size) const;

 private:
  const Packing* packing_ = nullptr;
  std::span<std::byte> bytes_;
};

}  // namespace onecast::elements
