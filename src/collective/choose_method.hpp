#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "collective/access_summary.hpp"
#include "collective/stripe_layout.hpp"

namespace onecast {

enum class TransferDirection : std::uint8_t { reading, writing };

/// How a collective call reaches the file.
enum class Method : std::uint8_t {
  automatic,    ///< not chosen yet
  plain,        ///< each rank for itself, one contiguous piece
  independent,  ///< each rank for itself, piece by piece
  broadcast,    ///< one rank reads, all hear; all write the same place: the highest rank writes
  edges,        ///< whole stripes each rank for itself, the shared stripes at both ends together
  collective,   ///< in two phases: aggregators own the stripes
};
const char* name_of(Method method);

struct Choice {
  Method method = Method::automatic;
  const char* words = "";  ///< of the reason, with {} for the numbers
  std::array<std::uint64_t, 3> numbers = {};

  /// A sentence, put together only where somebody asks for it.
  [[nodiscard]] std::string reason() const;
};

/// The first line that holds decides:
///
///   what all ranks want                                              | method
///   ---------------------------------------------------------------- | -----------
///   `forced` is not automatic (edges need ordered)                   | that one
///   nothing, or only one rank wants anything                         | plain
///   the same bytes on every rank, of several                         | broadcast
///   in the order of the ranks, no stripe shared, each one piece      | plain
///   in the order of the ranks, no stripe shared, pieces >= 1 MiB     | independent
///   in the order of the ranks, each one piece >= 1 MiB:              |
///     reading, or stripes are no places of contention                | plain
///     each rank has as much as a stripe on every target, at least 2  | edges
///   reading, pieces >= 1 MiB, no more bytes than there are           | independent
///   reading, fewer than 8 pieces of one rank, and 256 of all         | independent
///   without contention, pieces are worth a call:                     |
///     reading, or in the order of the ranks                          | independent
///   anything else: interleaved, or small                             | collective
///
/// "Without contention": has_contention() is false. `ranks`: of the communicator.
Choice choose_method(TransferDirection direction, const AccessSummary& all,
                     const StripeLayout& layout, std::size_t ranks,
                     Method forced = Method::automatic);

/// Do ranks that write into one stripe get in each other's way? Not on an ordinary file system,
/// whose layout was not found but assumed.
bool has_contention(const StripeLayout& layout);

/// Few pieces of one rank (less than 12 to write, or 48 to read, which are often read by one call),
/// or such of 64 KiB and more on average: calls for them take less time than an agreement on who
/// makes them.
bool is_worth_its_calls(TransferDirection direction, std::uint64_t pieces, std::uint64_t bytes);

}  // namespace onecast
