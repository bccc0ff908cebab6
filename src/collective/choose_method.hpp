#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "collective/method.hpp"

namespace onecast::collective {

/// Chooses a transfer method. The first line that holds decides; each method states its own lines,
/// in this order (method_NAME.cpp):
///
///   what all ranks want                                              | method
///   ---------------------------------------------------------------- | -----------
///   `forced` is not automatic, and nothing hinders it                | that one
///   nothing                                                          | plain
///   only one rank wants anything:                                    |
///     reading, or stripes are no places of contention                | plain
///   in the order of the ranks, no stripe shared, each one piece:     |
///     reading, without contention, or writing alone                  | plain
///   in the order of the ranks, each one piece >= 1 MiB:              |
///     reading, or stripes are no places of contention                | plain
///   the same bytes on every rank, of several                         | broadcast
///   in the order of the ranks, each one piece >= 1 MiB:              |
///     writing alone                                                  | edges
///   in the order of the ranks, no stripe shared, pieces >= 1 MiB:    |
///     reading, without contention, or writing alone                  | independent
///   reading, pieces >= 1 MiB, no more bytes than there are           | independent
///   reading, fewer than 8 pieces of one rank, and 256 of all         | independent
///   without contention, pieces are worth a call:                     |
///     reading, or in the order of the ranks                          | independent
///   anything else: interleaved, or small                             | collective
///
/// "Writing alone" is WantedByAll::may_write_alone(). "Without contention" means that
/// has_contention() is false. `ranks` is the size of the communicator, on so many `nodes`.
Choice choose_method(TransferDirection direction, const AccessSummary& all,
                     const StripeLayout& layout, std::size_t ranks, std::size_t nodes,
                     Method forced = Method::automatic);
/// True if the choice depends on the number of nodes.
bool asks_for_nodes(TransferDirection direction, const AccessSummary& all,
                    const StripeLayout& layout, Method forced);

/// True if ranks that write into one stripe slow each other down. False on an ordinary file system,
/// whose layout is not found but assumed.
bool has_contention(const StripeLayout& layout);

/// True for few pieces of one rank (less than 12 to write, or 48 to read, since one call often
/// reads several), or for pieces of 64 KiB and more on average: calls for them take less time than
/// an agreement on who makes them.
bool is_worth_its_calls(TransferDirection direction, std::uint64_t pieces, std::uint64_t bytes);

}  // namespace onecast::collective
