#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/namespaces.hpp"
#include "collective/access_summary.hpp"
#include "collective/choose_method.hpp"
#include "collective/stripe_layout.hpp"

/// The policy of collective transfers: what is known decides how data goes. Transfers ask it and do
/// what it says; a forecast asks it and prints what it says. The methods for what lies in the file
/// as it is in memory have their own table (method.hpp).
namespace onecast::collective {

/// How ranks find out whether they ask for the same: the option and argument `sharing`.
enum class Comparing : std::uint8_t { automatic, trust, verify, serve };

/// What options, hints and the call ask for; the same on all ranks.
struct AskedTransfer {
  TransferDirection direction = TransferDirection::reading;
  Method method = Method::automatic;
  Comparing sharing = Comparing::automatic;
  std::size_t ranks = 1;  ///< of the communicator
};

/// What one rank writes and has its place in the file: known before ranks agree.
struct OwnPart {
  std::uint64_t pieces = 0;
  std::uint64_t bytes = 0;
  bool is_all = false;        ///< of a dataset: the other ranks may have it, too
  bool is_one = true;         ///< of one dataset, and nothing else
  bool leaves_holes = false;  ///< what nobody writes is to be filled
  bool is_of_highest_rank = false;
};

/// What a rank that writes does before the ranks agree.
enum class BeforeAgreement : std::uint8_t {
  waits,           ///< it writes as the plan of all ranks says
  writes,          ///< it need not hear of the others
  writes_for_all,  ///< it takes part in the plan, but has written: its bytes stay in any case
};
BeforeAgreement before_agreement(const AskedTransfer& asked, const OwnPart& mine,
                                 const StripeLayout& layout);

/// Do ranks agree before any of them writes, whatever each of them has? Then the bytes of chunks go
/// together as well.
bool agree_first(const AskedTransfer& asked, const StripeLayout& layout);

/// What all ranks know when they have agreed; "elsewhere" is what does not lie in the file as it is
/// in memory.
struct KnownTransfer {
  AccessSummary wanted;       ///< in the file as in memory, by the ranks that waited
  bool is_list = false;       ///< not one dataset, but several, or none
  bool same = false;          ///< all ranks ask for the same
  bool by_parts = false;      ///< some rank converts more than a buffer takes
  bool small_pieces = false;  ///< some rank wants many

  // Of reads.
  bool reads_the_file = false;  ///< some rank wants what is not in memory
  bool may_differ = false;      ///< what ranks have in memory
  bool elsewhere = false;
  bool same_elsewhere = true;  ///< all ranks want the same of that
  bool decodes = false;        ///< part of it are filtered chunks
  bool shares_chunks = false;  ///< several ranks want the same ones
  bool groups = true;          ///< some ranks want the same (of Comparing::serve)

  // Of writes.
  bool compact = false;     ///< part of it is data that is part of the metadata
  bool new_chunks = false;  ///< chunks that need a place
};

/// How a transfer goes; the same on all ranks.
struct TransferPlan {
  Choice extents;    ///< what lies in the file as it is in memory; automatic: nothing does
  Choice elsewhere;  ///< what does not
  /// Extents that are converted, as much as a buffer takes at a time: independent, or collective in
  /// rounds, each of which has a plan of its own.
  Choice parts;
  Choice told;                           ///< the one of these that explains the transfer
  bool all_hear = false;                 ///< rank 0 reads all there is, and broadcasts it
  bool looks_for_shared_chunks = false;  ///< `shares_chunks` matters: it is to be found out
  bool is_refused = false;               ///< ranks ask for different things, and must not

  AccessSummary wanted;  ///< of the extents, by the ranks that waited
  bool counts = false;   ///< `told` is of extents that ranks agreed on, in rounds or at once
  std::uint64_t stripe_size = 0;
  std::size_t aggregators = 0;  ///< of the file, as soon as it is known

  /// Why, and counts of what the ranks that waited want.
  [[nodiscard]] std::string sentence() const;
};

TransferPlan plan_transfer(const AskedTransfer& asked, const KnownTransfer& known,
                           const StripeLayout& layout);
/// Of nothing but extents: `all` that ranks want.
TransferPlan plan_extents(const AskedTransfer& asked, const AccessSummary& all,
                          const StripeLayout& layout);

/// How many stripes there are from the first byte to the last.
std::uint64_t stripes_within(const AccessSummary& wanted, std::uint64_t stripe_size);
/// Bytes, pieces, ranks and stripes.
std::string counts_in_words(const AccessSummary& wanted, std::uint64_t stripe_size);
std::string counted(std::uint64_t count, const char* what);

}  // namespace onecast::collective
