#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "stripes/lustre_layout.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::stripes {

/// The answers of file systems other than Lustre about a file.
struct StripeAnswers {
  static constexpr std::uint64_t kGpfs = 0x47504653;
  static constexpr std::uint64_t kBeeGfs = 0x19830326;

  std::uint64_t magic = 0;       ///< from statfs: kGpfs, kBeeGfs or another
  std::uint64_t block_size = 0;  ///< from stat
  /// The answer of the BeeGFS ioctl; 0: none.
  std::uint32_t chunk_size = 0;
  std::uint32_t target_count = 0;
};

/// The layout that follows from the answers: GPFS reports its unit of locking as the block size of
/// a file, BeeGFS its stripe size; BeeGFS also reports the number of targets. `assumed` for other
/// systems.
StripeLayout layout_from(const StripeAnswers& answers);

/// The layout of a file with these components, which are sorted by address. If there are several
/// mirrors, it is that of the first.
StripeLayout layout_from(const std::vector<LustreComponent>& parts);

}  // namespace onecast::stripes
