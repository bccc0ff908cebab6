#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/namespaces.hpp"
#include "collective/access_summary.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::collective {

struct TransferCall;

enum class TransferDirection : std::uint8_t { reading, writing };

/// The table of transfer methods, for data that is directly stored. The first method that suits
/// what all ranks want is taken. A new method is a file, method_NAME.cpp, that defines its
/// kNAMEMethod, and a line here.
#define ONECAST_TRANSFER_METHODS(METHOD) \
  METHOD(plain, Plain)                   \
  METHOD(broadcast, Broadcast)           \
  METHOD(edges, Edges)                   \
  METHOD(independent, Independent)       \
  METHOD(collective, Collective)

/// The methods by which data reaches the file in a collective call.
enum class Method : std::uint8_t {
  automatic,  ///< not chosen yet
  none,       ///< nothing is read or written
  chunked,    ///< each chunk is read once for all ranks that want it, or assembled by one rank
  serve,      ///< ranks that want the same part share one read and one broadcast
#define ONECAST_METHOD_VALUE(VALUE, NAME) VALUE,
  ONECAST_TRANSFER_METHODS(ONECAST_METHOD_VALUE)
#undef ONECAST_METHOD_VALUE
};
std::string_view name_of(Method method);
/// The method that has this name in options.
Method method_named(std::string_view name);

/// A method, and the reason for it.
struct Choice {
  Method method = Method::automatic;
  const char* words = "";  ///< the text of the reason, with {} for the numbers
  std::array<std::uint64_t, 3> numbers = {};

  /// Formats the reason.
  [[nodiscard]] std::string reason() const;
  bool operator==(const Choice&) const = default;
};

/// Pieces of this size take so long that joining them gains nothing.
inline constexpr std::uint64_t kLargePiece = std::uint64_t{1} << 20U;
/// A storage target takes far longer to write this much than to take a lock away.
inline constexpr std::uint64_t kWorthLocks = std::uint64_t{64} << 20U;

/// The facts by which methods are chosen; equal on all ranks.
struct WantedByAll {
  TransferDirection direction;
  const AccessSummary& all;
  const StripeLayout& layout;
  std::size_t ranks;  ///< the size of the communicator
  std::size_t nodes;  ///< the number of its nodes

  [[nodiscard]] bool is_read() const { return direction == TransferDirection::reading; }
  [[nodiscard]] std::uint64_t mean_piece() const { return all.bytes / all.pieces; }
  /// True if each of several ranks has at least one stripe on every target, and at least two
  /// stripes. Then it uses all targets anyway.
  [[nodiscard]] bool have_all_targets() const {
    return all.ranks > 1 &&
           all.least_bytes / layout.stripe_size >= std::max(2U, layout.stripe_count);
  }
  /// True if ranks that write whole stripes by themselves slow each other down little: they use
  /// all targets, and are on one node, whose writes share locks, or have so much for every target
  /// that the locks which nodes take from each other do not matter.
  [[nodiscard]] bool may_write_alone() const {
    return have_all_targets() &&
           (nodes == 1 || all.least_bytes / std::max(1U, layout.stripe_count) >= kWorthLocks);
  }
};

/// One transfer method, defined in the method's own file.
struct TransferMethodEntry {
  Method method = Method::automatic;
  std::string_view name;
  /// Some ranks transfer for others. If a user asks for such a method, all ranks agree before any
  /// of them writes.
  bool transfers_for_others = false;
  bool has_aggregators = false;
  /// Returns nothing if the method does not suit what all ranks want.
  std::optional<Choice> (*suits)(const WantedByAll& wanted) = nullptr;
  /// Returns why the requested method is not possible, or null if it is; null: it always is.
  const char* (*hindrance)(const WantedByAll& wanted) = nullptr;
  /// @collective
  void (*write)(const TransferCall& call) = nullptr;
  void (*read)(const TransferCall& call) = nullptr;
};

#define ONECAST_DECLARE_METHOD(VALUE, NAME) extern const TransferMethodEntry k##NAME##Method;
ONECAST_TRANSFER_METHODS(ONECAST_DECLARE_METHOD)
#undef ONECAST_DECLARE_METHOD

/// All methods, in the order of the table.
std::span<const TransferMethodEntry* const> transfer_methods();
/// The entry of a method of the table.
const TransferMethodEntry& entry_of(Method method);

/// See TransferMethodEntry; false for `automatic`.
bool transfers_for_others(Method method);

}  // namespace onecast::collective
