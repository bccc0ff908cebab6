#pragma once

#include <string_view>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "II.B. Disk Format: Level 0B - File Driver Info". Superblocks 0 and 1 point to it; since version
/// 2 a DriverInfoMessage in the superblock extension replaces it.
struct DriverInformationBlock {
  static constexpr const char* kTitle = "Driver Information Block";
  static constexpr std::size_t kIdentificationSize = 8;

  std::string_view identification =
      "unknown ";  ///< always 8 characters: "NCSAmult", "NCSAfami", ...
  ByteView information;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.last_version("Version", 0);
    v.reserved("Reserved", 3);
    auto size = static_cast<std::uint32_t>(s.information.size());
    v.u32("Driver Information Size", size);
    v.text("Driver Identification", s.identification, kIdentificationSize);
    v.view("Driver Information", s.information, size);
  }
};

}  // namespace onecast::format
