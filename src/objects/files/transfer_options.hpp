#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/transfer_plan.hpp"
#include "onecast/objects/file.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::files {

/// The options and hints of a file for collective transfers.
struct TransferOptions {
  TransferMethod reading = TransferMethod::automatic;
  TransferMethod writing = TransferMethod::automatic;
  StripeOptions stripes;  ///< the stripes that the user requested
  std::uint64_t collective_buffer = 0;
  std::uint32_t aggregators = 0;
  std::vector<std::string> unused_hints;
};

/// Converts checked options; an option that was given takes precedence over a hint. Throws Error
/// (invalid_argument), which names the option or the hint, for values that are not allowed.
TransferOptions transfer_options(const FileOptions& options);

/// Converts the options to the terms of the collective layer. `ranks` is the size of the
/// communicator.
AskedTransfer asked_transfer(const TransferOptions& options, TransferDirection direction,
                             Sharing sharing, std::size_t ranks);

}  // namespace onecast::files
