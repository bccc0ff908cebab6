#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collective/choose_method.hpp"
#include "collective/stripe_layout.hpp"
#include "onecast/objects/file.hpp"

namespace onecast {

/// What options and hints of a file say about transfers of all ranks together.
struct TransferOptions {
  TransferMethod reading = TransferMethod::automatic;
  TransferMethod writing = TransferMethod::automatic;
  StripeOptions stripes;  ///< what the user asked for
  std::uint64_t collective_buffer = 0;
  std::uint32_t aggregators = 0;
  std::vector<std::string> unused_hints;
};

/// Of options that are checked; an option that was given wins over a hint. Throws Error
/// (invalid_argument), which names the option or the hint, for those that are not allowed.
TransferOptions transfer_options(const FileOptions& options);

/// Was it asked for that ranks transfer for each other?
inline bool is_together(TransferMethod method) { return method >= TransferMethod::collective; }

/// In the words of the collective layer.
Method method_of(TransferMethod method);

}  // namespace onecast
