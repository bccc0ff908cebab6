#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

enum class SpaceAllocationTime : std::uint8_t {
  not_used = 0,
  early = 1,
  late = 2,
  incremental = 3
};
enum class FillValueWriteTime : std::uint8_t { on_allocation = 0, never = 1, if_set = 2 };

/// "IV.A.2.e. The Data Storage - Fill Value (Old) Message". If the value is empty, none is defined.
struct OldFillValueMessage {
  static constexpr const char* kTitle = "Fill Value Message (Old)";

  ByteView value;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    auto size = static_cast<std::uint32_t>(s.value.size());
    v.u32("Size", size);
    v.view("Fill Value", s.value, size);
  }
};

/// "IV.A.2.f. The Data Storage - Fill Value Message", versions 1 to 3. A defined fill value without
/// bytes is the default, all zeros.
struct FillValueMessage {
  static constexpr const char* kTitle = "Fill Value Message";

  std::uint8_t version = 3;
  SpaceAllocationTime allocation_time = SpaceAllocationTime::late;
  FillValueWriteTime write_time = FillValueWriteTime::if_set;
  bool undefined = false;  ///< version 3 only: marked "undefined" by the user
  bool defined = false;
  ByteView value;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 1, 3);
    if (s.version == 3) {
      flags(v, s);
    } else {
      v.u8("Space Allocation Time", s.allocation_time);
      v.u8("Fill Value Write Time", s.write_time);
      auto is_defined = static_cast<std::uint8_t>(s.defined);
      v.u8("Fill Value Defined", is_defined);
      v.check(is_defined <= 1, "Fill Value Defined", "is neither 0 nor 1");
      if constexpr (V::kDecodes) s.defined = is_defined != 0;
    }
    v.check(s.allocation_time <= SpaceAllocationTime::incremental, "Space Allocation Time",
            "is above 3");
    v.check(s.write_time <= FillValueWriteTime::if_set, "Fill Value Write Time", "is above 2");
    if (s.version == 1 || s.defined) {
      auto size = static_cast<std::uint32_t>(s.value.size());
      v.u32("Size", size);
      // Version 1 always has the size, and old writers stored -1 for "undefined".
      if (V::kDecodes && !s.defined && size > 0x7fffffffU) size = 0;
      v.view("Fill Value", s.value, size);
    }
  }

 private:
  template <class V, class Self>
  static void flags(V& v, Self& s) {
    auto packed = static_cast<std::uint8_t>(
        static_cast<unsigned>(s.allocation_time) | static_cast<unsigned>(s.write_time) << 2U |
        static_cast<unsigned>(s.undefined) << 4U | static_cast<unsigned>(s.defined) << 5U);
    v.u8("Flags", packed);
    v.check((packed & 0xc0U) == 0, "Flags", "has reserved bits set");
    v.check((packed & 0x30U) != 0x30U, "Flags", "says both defined and undefined");
    if constexpr (V::kDecodes) {
      s.allocation_time = static_cast<SpaceAllocationTime>(packed & 3U);
      s.write_time = static_cast<FillValueWriteTime>(packed >> 2U & 3U);
      s.undefined = (packed & 0x10U) != 0;
      s.defined = (packed & 0x20U) != 0;
    }
  }
};

}  // namespace onecast::format
