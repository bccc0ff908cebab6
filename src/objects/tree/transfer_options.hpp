#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/stripe_layout.hpp"
#include "collective/transfer_plan.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::tree {

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

/// In the words of the collective layer. `ranks`: of the communicator.
AskedTransfer asked_transfer(const TransferOptions& options, TransferDirection direction,
                             Sharing sharing, std::size_t ranks);

}  // namespace onecast::tree
