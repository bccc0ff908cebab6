#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// Records that the fixed and the extensible array share: the elements, and pages of them.
namespace onecast::format {

/// "Client ID": the kind of elements.
enum class ChunkArrayClient : std::uint8_t { chunks = 0, filtered_chunks = 1 };

/// "Data Block Element" for both clients.
struct ChunkElement {
  static constexpr const char* kTitle = "Data Block Element";

  bool filtered = false;             ///< context
  std::uint8_t chunk_size_size = 0;  ///< context: bytes of the field "Chunk Size"
  Address address;
  std::uint64_t chunk_size = 0;   ///< filtered only
  std::uint32_t filter_mask = 0;  ///< filtered only

  static constexpr std::uint64_t kMaskSize = 4;

  [[nodiscard]] ChunkElement context() const {
    ChunkElement element;
    element.filtered = filtered;
    element.chunk_size_size = chunk_size_size;
    return element;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Address", s.address);
    if (!s.filtered) return;
    v.uint("Chunk Size", s.chunk_size, s.chunk_size_size);
    v.u32("Filter Mask", s.filter_mask);
  }
};

/// "Data Block Page".
struct ChunkArrayPage {
  static constexpr const char* kTitle = "Data Block Page";
  static constexpr std::uint64_t kChecksumSize = 4;

  std::uint64_t elements_size = 0;  ///< context: in bytes
  ByteView elements;

  [[nodiscard]] ChunkArrayPage context() const {
    ChunkArrayPage page;
    page.elements_size = elements_size;
    return page;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.view("Elements", s.elements, s.elements_size);
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
