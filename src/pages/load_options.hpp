#pragma once

#include <cstdint>
#include <functional>

#include "base/namespaces.hpp"
#include "collective/stripe_layout.hpp"

namespace onecast::pages {

/// How much a load brings to every rank.
struct LoadOptions {
  enum class Policy : std::uint8_t { automatic, eager, lazy };

  Policy policy = Policy::automatic;
  std::uint64_t budget = 0;
  std::uint64_t small_data_limit = 0;
  /// The file is open for writing: one process alone reads much metadata only as it looks at it.
  bool writable = false;
  /// One without a byte is no error, but to be written as a new file.
  bool takes_empty = false;
  /// Rank 0, after its first look at the file: it is not read as it is, see
  /// TransportOpener::recovered.
  const bool* overlaid = nullptr;
  /// Rank 0, before it looks at the file: its number, if it is open already, else 0. Throws Error.
  std::function<std::uint64_t()> number_if_open;
  std::uint64_t number = 0;  ///< else: the one that it gets, as rank 0 says
  std::uint64_t folder = 0;  ///< a digest of the working folder, which all hear of rank 0
  /// Rank 0 asks how the file is striped; null: nobody does.
  const StripeOptions* stripes = nullptr;
};

}  // namespace onecast::pages
