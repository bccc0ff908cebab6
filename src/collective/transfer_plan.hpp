#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/namespaces.hpp"
#include "collective/access_summary.hpp"
#include "collective/choose_method.hpp"
#include "stripes/stripe_layout.hpp"

/// The policy of collective transfers: decides from what is known how data is transferred.
/// Transfers follow its plan; a forecast prints it. The methods for directly stored data have their
/// own table (method.hpp).
namespace onecast::collective {

/// The ways in which ranks find out whether they ask for equal parts: the option and argument
/// `sharing`.
enum class Comparing : std::uint8_t { automatic, trust, verify, serve };

/// The request of the call, with its options and hints; equal on all ranks.
struct AskedTransfer {
  TransferDirection direction = TransferDirection::reading;
  Method method = Method::automatic;
  Comparing sharing = Comparing::automatic;
  std::size_t ranks = 1;  ///< the size of the communicator
  std::size_t nodes = 1;  ///< the number of its nodes; any number unless asks_for_nodes()
};

/// The data that one rank writes at known places of the file; known before ranks agree.
struct OwnPart {
  std::uint64_t pieces = 0;
  std::uint64_t bytes = 0;
  bool is_all = false;        ///< a whole dataset, which the other ranks may write, too
  bool is_one = true;         ///< one dataset, and nothing else
  bool leaves_holes = false;  ///< elements that nobody writes must be filled
  bool is_of_highest_rank = false;
};

/// The actions of a writing rank before the ranks agree.
enum class BeforeAgreement : std::uint8_t {
  waits,           ///< it writes as the plan of all ranks says
  writes,          ///< it writes without knowing of the others
  writes_for_all,  ///< it writes, and takes part in the plan all the same: its bytes stay in any
                   ///< case
};
BeforeAgreement before_agreement(const AskedTransfer& asked, const OwnPart& mine,
                                 const StripeLayout& layout);

/// True if ranks agree before any of them writes, whatever each of them has. Then the bytes of
/// chunks go together as well.
bool agree_first(const AskedTransfer& asked, const StripeLayout& layout);

/// The facts that all ranks know when they have agreed; "elsewhere" is data that is not directly
/// stored.
struct KnownTransfer {
  AccessSummary wanted;       ///< directly stored, wanted by the ranks that waited
  bool is_list = false;       ///< several datasets, or none
  bool same = false;          ///< all ranks ask for equal parts
  bool by_parts = false;      ///< some rank converts more than a buffer takes
  bool small_pieces = false;  ///< some rank wants many small pieces

  // These members are for reads.
  bool reads_the_file = false;  ///< some rank wants data that is not in memory
  bool may_differ = false;      ///< ranks may have different data in memory
  bool elsewhere = false;
  bool same_elsewhere = true;  ///< all ranks want equal parts of it
  bool decodes = false;        ///< a part of it is filtered chunks
  bool shares_chunks = false;  ///< several ranks want the same chunks
  bool groups = true;          ///< some ranks want equal parts (for Comparing::serve)
  bool shares_memory = false;  ///< the ranks of a node share memory for what all want

  // These members are for writes.
  bool compact = false;     ///< a part of it is compact data
  bool new_chunks = false;  ///< chunks that need a place
};

/// The plan of a transfer; equal on all ranks.
struct TransferPlan {
  Choice extents;    ///< for directly stored data; automatic: there is none
  Choice elsewhere;  ///< for other data
  /// The method for extents that are converted, one buffer at a time: independent, or collective in
  /// rounds, each of which has its own plan.
  Choice parts;
  Choice told;                           ///< the choice that explains the transfer
  bool all_hear = false;                 ///< rank 0 reads everything and broadcasts it
  bool looks_for_shared_chunks = false;  ///< whether ranks share chunks matters, and must be found
                                         ///< out
  bool is_refused = false;               ///< ranks ask for different parts, which is an error

  AccessSummary wanted;  ///< of the extents, by the ranks that waited
  bool counts = false;   ///< `told` describes extents on which ranks agreed, in rounds or at once
  std::uint64_t stripe_size = 0;
  std::size_t aggregators = 0;  ///< of the file, once it is known

  /// The reason, and counts of what the waiting ranks want.
  [[nodiscard]] std::string sentence() const;
};

TransferPlan plan_transfer(const AskedTransfer& asked, const KnownTransfer& known,
                           const StripeLayout& layout);
/// A plan for extents alone; `all` is what all ranks want.
TransferPlan plan_extents(const AskedTransfer& asked, const AccessSummary& all,
                          const StripeLayout& layout);

/// The number of nodes, if the plan depends on it. @collective, all ranks pass equal arguments
std::size_t nodes_for(CommunicatorBackend& comm, const AskedTransfer& asked,
                      const AccessSummary& all, const StripeLayout& layout);

/// The number of stripes from the first byte to the last.
std::uint64_t stripes_within(const AccessSummary& wanted, std::uint64_t stripe_size);
/// The counts of bytes, pieces, ranks and stripes.
std::string counts_in_words(const AccessSummary& wanted, std::uint64_t stripe_size);
std::string counted(std::uint64_t count, const char* what);

}  // namespace onecast::collective
