#pragma once

#include <functional>
#include <set>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/chunk_elements.hpp"

/// Code that writers of fixed and extensible arrays share.
namespace onecast::structures {

/// Encodes elements for both clients.
class ElementWriter {
 public:
  /// Returns an element by its number; an undefined address means that the chunk does not exist. It
  /// need not set the context members.
  using ElementOf = std::function<ChunkElement(std::uint64_t number)>;

  /// `size_size`: the size of the field "Chunk Size" of filtered chunks; 0: chunks are not
  /// filtered.
  ElementWriter(std::uint8_t size_size, ElementOf element)
      : size_size_(size_size), element_(std::move(element)) {}

  [[nodiscard]] ChunkArrayClient client() const {
    return size_size_ == 0 ? ChunkArrayClient::chunks : ChunkArrayClient::filtered_chunks;
  }
  [[nodiscard]] static std::uint8_t entry_size(std::uint8_t size_size, const FileContext& file) {
    const std::uint64_t more = size_size == 0 ? 0 : size_size + ChunkElement::kMaskSize;
    return static_cast<std::uint8_t>(file.size_of_offsets + more);
  }
  [[nodiscard]] std::uint8_t entry_size(const FileContext& file) const {
    return entry_size(size_size_, file);
  }

  /// Encodes `count` elements from `first` on: changed ones, by number, with their new value;
  /// others as they are in `stored`, or as missing where nothing is stored.
  [[nodiscard]] std::vector<std::byte> elements(ByteView stored, std::uint64_t first,
                                                std::uint64_t count,
                                                const std::set<std::uint64_t>& changed,
                                                const FileContext& file) const {
    const std::size_t size = entry_size(file);
    std::vector<std::byte> bytes(stored.begin(), stored.end());
    const auto put = [&](std::uint64_t n, const ChunkElement& element) {
      const std::span<std::byte> all(bytes);
      ByteWriter out(all.subspan(static_cast<std::size_t>(n - first) * size, size));
      encode(out, element, file);
    };
    if (stored.empty()) {
      bytes.resize(static_cast<std::size_t>(count) * size);
      for (std::uint64_t n = first; n < first + count; ++n) put(n, {});
    }
    for (auto n = changed.lower_bound(first); n != changed.end() && *n - first < count; ++n)
      put(*n, element_(*n));
    return bytes;
  }

 private:
  void encode(ByteWriter& out, ChunkElement element, const FileContext& file) const {
    element.filtered = size_size_ != 0;
    element.chunk_size_size = size_size_;
    format::encode(out, file, element);
  }

  std::uint8_t size_size_;
  ElementOf element_;
};

/// Sets a bit of a bitmap that begins with the highest bit of its first byte.
inline void set_bit(std::span<std::byte> bitmap, std::uint64_t bit) {
  bitmap[static_cast<std::size_t>(bit / 8)] |= std::byte{0x80} >> static_cast<int>(bit % 8);
}

}  // namespace onecast::structures
