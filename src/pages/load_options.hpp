#pragma once

#include <cstdint>
#include <functional>

#include "base/namespaces.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::pages {

/// The options for what an open brings to every rank.
struct LoadOptions {
  enum class Policy : std::uint8_t { automatic, eager, lazy };

  Policy policy = Policy::automatic;
  std::uint64_t budget = 0;
  std::uint64_t small_data_limit = 0;
  /// The file is open for writing; then one process alone reads much metadata only on demand.
  bool writable = false;
  /// Another program writes the file for readers (SWMR): bytes are read when they are viewed, and
  /// no others with them.
  bool for_readers = false;
  /// An empty file is no error, but is to be written as a new file.
  bool takes_empty = false;
  /// Set by rank 0 after its first look at the file: the file is seen with a half flush undone, see
  /// TransportOpener::recovered.
  const bool* overlaid = nullptr;
  /// Called by rank 0 before it looks at the file. Returns the file's number if it is open already,
  /// else 0. Throws Error.
  std::function<std::uint64_t()> number_if_open;
  std::uint64_t number = 0;  ///< the number for a file that is not open yet, as rank 0 says
  std::uint64_t folder = 0;  ///< a digest of rank 0's working directory, for all ranks
  /// If set, rank 0 asks how the file is striped.
  const StripeOptions* stripes = nullptr;
};

}  // namespace onecast::pages
