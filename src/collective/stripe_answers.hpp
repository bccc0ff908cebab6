#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/lustre_layout.hpp"
#include "collective/stripe_layout.hpp"

namespace onecast::collective {

/// What systems other than Lustre say about a file.
struct StripeAnswers {
  static constexpr std::uint64_t kGpfs = 0x47504653;
  static constexpr std::uint64_t kBeeGfs = 0x19830326;

  std::uint64_t magic = 0;       ///< of statfs: kGpfs, kBeeGfs or another
  std::uint64_t block_size = 0;  ///< of stat
  /// Of the ioctl of BeeGFS; 0: no answer.
  std::uint32_t chunk_size = 0;
  std::uint32_t target_count = 0;
};

/// What follows from that: GPFS states its unit of locking, and BeeGFS that of striping, as the
/// block size of a file; BeeGFS also tells the number of targets. `assumed` of other systems.
StripeLayout layout_from(const StripeAnswers& answers);

/// Of a file with these components, by address; of the first mirror, if there are several.
StripeLayout layout_from(const std::vector<LustreComponent>& parts);

}  // namespace onecast::collective
