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
#include "collective/stripe_layout.hpp"

namespace onecast::collective {

struct TransferCall;

enum class TransferDirection : std::uint8_t { reading, writing };

/// The table of transfer methods: how a collective call reaches what lies in the file as it is in
/// memory. Of those that suit what all ranks want, the first is taken. A new method is a file,
/// method_NAME.cpp, that defines its kNAMEMethod, and its line here.
#define ONECAST_TRANSFER_METHODS(METHOD) \
  METHOD(plain, Plain)                   \
  METHOD(broadcast, Broadcast)           \
  METHOD(edges, Edges)                   \
  METHOD(independent, Independent)       \
  METHOD(collective, Collective)

/// How data reaches the file in a collective call.
enum class Method : std::uint8_t {
  automatic,  ///< not chosen yet
  none,       ///< nothing is read or written
  chunked,    ///< each chunk is read once for all that want it, or put together by one rank
  serve,      ///< ranks that want the same share one read and one broadcast
#define ONECAST_METHOD_VALUE(VALUE, NAME) VALUE,
  ONECAST_TRANSFER_METHODS(ONECAST_METHOD_VALUE)
#undef ONECAST_METHOD_VALUE
};
std::string_view name_of(Method method);
/// The one that users ask for by this name.
Method method_named(std::string_view name);

/// A method, and why it was taken.
struct Choice {
  Method method = Method::automatic;
  const char* words = "";  ///< of the reason, with {} for the numbers
  std::array<std::uint64_t, 3> numbers = {};

  /// A sentence, put together only where somebody asks for it.
  [[nodiscard]] std::string reason() const;
  bool operator==(const Choice&) const = default;
};

/// Pieces of this size take so long that nothing is won by joining them.
inline constexpr std::uint64_t kLargePiece = std::uint64_t{1} << 20U;

/// What a method is judged by; the same on all ranks.
struct WantedByAll {
  TransferDirection direction;
  const AccessSummary& all;
  const StripeLayout& layout;
  std::size_t ranks;  ///< of the communicator

  [[nodiscard]] bool is_read() const { return direction == TransferDirection::reading; }
  [[nodiscard]] std::uint64_t mean_piece() const { return all.bytes / all.pieces; }
  /// Has each of several ranks as much as a stripe on every target, and two at least? Then it has
  /// to do with all of them anyway.
  [[nodiscard]] bool have_all_targets() const {
    return all.ranks > 1 &&
           all.least_bytes / layout.stripe_size >= std::max(2U, layout.stripe_count);
  }
};

/// All there is to know of one transfer method. Each stands in the method's own file.
struct TransferMethodEntry {
  Method method = Method::automatic;
  std::string_view name;
  /// Do some ranks transfer for others? Then, where a user asks for the method, all ranks agree
  /// before any of them writes.
  bool transfers_for_others = false;
  bool has_aggregators = false;
  /// Nothing, if it does not suit what all ranks want.
  std::optional<Choice> (*suits)(const WantedByAll& wanted) = nullptr;
  /// Why it is not possible where it was asked for; null: it is.
  const char* (*hindrance)(const WantedByAll& wanted) = nullptr;
  /// @collective
  void (*write)(const TransferCall& call) = nullptr;
  void (*read)(const TransferCall& call) = nullptr;
};

#define ONECAST_DECLARE_METHOD(VALUE, NAME) extern const TransferMethodEntry k##NAME##Method;
ONECAST_TRANSFER_METHODS(ONECAST_DECLARE_METHOD)
#undef ONECAST_DECLARE_METHOD

/// In the order of the table.
std::span<const TransferMethodEntry* const> transfer_methods();
/// One of the table.
const TransferMethodEntry& entry_of(Method method);

/// See TransferMethodEntry; no for `automatic`.
bool transfers_for_others(Method method);

}  // namespace onecast::collective
