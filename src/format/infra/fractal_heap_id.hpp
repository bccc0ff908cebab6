#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// The forms of a fractal heap ID ("III.G.", after the blocks). All start with one byte: bits 6-7
/// are the version (0), bits 4-5 the kind.
namespace onecast::format {

enum class FractalHeapIdKind : std::uint8_t { managed = 0, huge = 1, tiny = 2 };

/// The first byte of an ID.
struct FractalHeapIdFlags {
  static constexpr const char* kTitle = "Fractal Heap ID";

  FractalHeapIdKind kind = FractalHeapIdKind::managed;
  std::uint8_t low_bits = 0;  ///< bits 0-3: a part of the length, in IDs of tiny objects

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    auto packed = static_cast<std::uint8_t>(static_cast<unsigned>(s.kind) << 4U | s.low_bits);
    v.u8("Version and Type", packed);
    v.require(packed >> 6U == 0, "Version and Type", "a version other than 0");
    v.check((packed >> 4U & 3U) != 3, "Version and Type", "is none of managed, huge and tiny");
    if constexpr (V::kDecodes) {
      s.kind = static_cast<FractalHeapIdKind>(packed >> 4U & 3U);
      s.low_bits = packed & 0x0fU;
    }
  }
};

struct ManagedHeapId {
  static constexpr const char* kTitle = "Fractal Heap ID for Managed Objects";

  std::uint8_t offset_size = 0;  ///< context
  std::uint8_t length_size = 0;  ///< context
  std::uint64_t offset = 0;      ///< in the heap's own address space
  std::uint64_t length = 0;

  [[nodiscard]] ManagedHeapId context() const { return {offset_size, length_size}; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    FractalHeapIdFlags flags{FractalHeapIdKind::managed};
    v.record("Version and Type", flags);
    v.check(flags.kind == FractalHeapIdKind::managed, "Version and Type", "is not managed");
    v.uint("Offset", s.offset, s.offset_size);
    v.uint("Length", s.length, s.length_size);
  }
};

/// The first byte of the ID of a huge object, for all sub-types.
template <class V>
void huge_id_flags(V& v) {
  FractalHeapIdFlags flags{FractalHeapIdKind::huge};
  v.record("Version and Type", flags);
  v.check(flags.kind == FractalHeapIdKind::huge, "Version and Type", "is not huge");
}

/// Sub-types 1 and 2: the object is found through the heap's B-tree.
struct HugeIndirectHeapId {
  static constexpr const char* kTitle =
      "Fractal Heap ID for Huge Objects (Sub-types 1 and 2): Indirectly Accessed, "
      "Non-filtered/Filtered";

  std::uint8_t key_size = 0;  ///< context
  std::uint64_t key = 0;

  [[nodiscard]] HugeIndirectHeapId context() const { return {key_size}; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    huge_id_flags(v);
    v.uint("v2 B-tree Key", s.key, s.key_size);
  }
};

/// Sub-type 3.
struct HugeDirectHeapId {
  static constexpr const char* kTitle =
      "Fractal Heap ID for Huge Objects (Sub-type 3): Directly Accessed, Non-filtered";

  Address address;
  std::uint64_t length = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    huge_id_flags(v);
    v.address("Address", s.address);
    v.length("Length", s.length);
  }
};

/// Sub-type 4.
struct HugeDirectFilteredHeapId {
  static constexpr const char* kTitle =
      "Fractal Heap ID for Huge Objects (Sub-type 4): Directly Accessed, Filtered";

  Address address;
  std::uint64_t length = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t memory_size = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    huge_id_flags(v);
    v.address("Address", s.address);
    v.length("Length", s.length);
    v.u32("Filter Mask", s.filter_mask);
    v.length("De-filtered Size", s.memory_size);
  }
};

/// Both sub-types, with the object itself in the ID. `extended`: the length has a second byte, in
/// IDs of more than 18 bytes.
struct TinyHeapId {
  static constexpr const char* kTitle = "Fractal Heap ID for Tiny Objects";

  bool extended = false;  ///< context
  ByteView data;

  [[nodiscard]] TinyHeapId context() const { return {extended, {}}; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    // "The value stored is one less than the actual length."
    const std::size_t stored = s.data.empty() ? 0 : s.data.size() - 1;
    const auto low = static_cast<std::uint8_t>((s.extended ? stored >> 8U : stored) & 0x0fU);
    FractalHeapIdFlags flags{FractalHeapIdKind::tiny, low};
    v.record("Version, Type, and Length", flags);
    v.check(flags.kind == FractalHeapIdKind::tiny, "Version, Type, and Length", "is not tiny");
    std::size_t length = flags.low_bits;
    if (s.extended) {
      auto extended_length = static_cast<std::uint8_t>(stored & 0xffU);
      v.u8("Extended Length", extended_length);
      length = length << 8U | extended_length;
    }
    v.view("Data", s.data, length + 1);
  }
};

}  // namespace onecast::format
