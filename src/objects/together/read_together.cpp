#include "objects/together/read_together.hpp"

#include <utility>

#include "comm/agreement.hpp"
#include "comm/node/node_channel.hpp"
#include "comm/try_to.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/files/diverged.hpp"
#include "objects/memory/digest.hpp"
#include "objects/nodes/collective_call.hpp"
#include "objects/together/own_datasets.hpp"
#include "objects/together/prepared_read.hpp"
#include "objects/together/read_extents.hpp"
#include "objects/together/transfer_scope.hpp"

namespace onecast::together {
namespace {

/// What all ranks know, and the plan that follows from it.
struct AgreedRead {
  CallSummary all;
  KnownTransfer facts;
  TransferPlan plan;

  [[nodiscard]] bool has(ReadNews::Flag news) const { return (all.flags & news) != 0; }
  void plan_for(const ReadCall& call) {
    plan = plan_transfer(call.asked, facts, call.file.transfers().layout);
  }
};

/// Returns true if `bytes` that all `ranks` want go through memory that those of a node share. It
/// is made if they are worth it.
bool share_memory(const ReadCall& call, std::uint64_t bytes, CommunicatorBackend& ranks) {
  return ranks.want_channel(bytes, call.file.transfers().options.collective_buffer) != nullptr &&
         NodeChannel::takes(bytes);
}

/// Makes all writes visible to all ranks.
void settle(FileState& file, const UnsettledWrites& kinds) {
  if (const std::exception_ptr conflict = settle_writes(file, kinds))
    std::rethrow_exception(conflict);
}

/// Reads without a comparison: each rank reads for itself, or all ranks hear what rank 0 reads.
void read_trusting(const ReadCall& call, const std::exception_ptr& failure) {
  FileState& file = call.file;
  if (failure) std::rethrow_exception(failure);
  require_callable(call.kind, call.reads);
  // The places of data must not depend on the number of ranks.
  if (call.sharing != Sharing::trust && !call.comm().is_self()) settle(file, call.unsettled());

  PreparedRead mine(call);
  mine.prepare_trusting();
  if (!call.comm().is_self() && (mine.summary.flags & ReadNews::kUnfilled) != 0)
    fill_unwritten(file);
  AgreedRead known;
  known.facts.may_differ = call.asks_first_rank();
  known.facts.reads_the_file = !mine.elsewhere().empty();
  known.plan_for(call);
  const bool for_itself = known.plan.extents.method == Method::plain;
  for (const SharedRead& read : mine.reads)
    if (for_itself || !read.reads_the_file()) read.read_alone();
  if (known.plan.all_hear) {
    known.facts.shares_memory = share_memory(call, mine.bytes(), call.comm());
    known.plan_for(call);
    mine.make_room();
    mine.hear_elsewhere(call.comm(), true);
  }
  if (const std::exception_ptr refused = mine.failure()) std::rethrow_exception(refused);
  note_transfer(file, known.plan, mine.bytes());
}

/// All ranks tell each other what they want, or why one of them cannot read.
AgreedRead compare(const ReadCall& call, PreparedRead& mine, bool settled,
                   std::exception_ptr failure) {
  CollectiveCall header = call_of(call.kind, call.reads, failure);
  mine.summary.named.value = header.object;
  header.how = static_cast<std::uint8_t>(call.sharing);
  if (call.named == Datasets::own) name_own_datasets(header);
  comm::try_to(failure, [&] { mine.prepare(settled); });
  if (call.reads.size() != 1) mine.summary.flags |= ReadNews::kList;
  AgreedRead known;
  const CallSummary& all = known.all = summarize_call(
      call.file, header, mine.summary, TransferDirection::reading, mine.extents, failure);
  known.facts = {.wanted = all.wanted,
                 .is_list = known.has(ReadNews::kList),
                 .same = all.request.equal,
                 .by_parts = known.has(ReadNews::kExtentsByParts),
                 .small_pieces = known.has(ReadNews::kSmallPieces),
                 .reads_the_file = known.has(ReadNews::kReadsTheFile),
                 .elsewhere = known.has(ReadNews::kElsewhere),
                 .same_elsewhere = all.elsewhere.equal,
                 .decodes = known.has(ReadNews::kDecodes)};
  known.plan_for(call);
  return known;
}

/// Throws Error (diverged) if ranks must want equal parts and do not.
void require_equal(const ReadCall& call, PreparedRead& mine, const TransferPlan& plan) {
  if (!plan.is_refused) return;
  throw_different(call.file, mine.summary.request.value, name_of(call.kind), [&] {
    std::vector<std::string> words;
    for (const Read& read : call.reads) words.push_back(part_in_words(*read.dataset, *read.part));
    return words;
  });
}

// --- all ranks that want the same hear it -------------------------------------------------------
/// Broadcasts the extents of the whole list, which all ranks of the group want.
void hear_extents(FileState& file, PreparedRead& mine, CommunicatorBackend& group) {
  if (mine.extents.empty()) return;
  const auto ranks = static_cast<std::uint64_t>(group.size());
  AccessSummary all = summary_of(mine.extents);
  all.ranks *= ranks;
  all.bytes *= ranks;
  all.pieces *= ranks;
  const StripeLayout& layout = file.transfers().layout;
  const AskedTransfer asked{.ranks = static_cast<std::size_t>(group.size())};
  CollectiveFile(group, file.transport(), layout, collective_options(file))
      .read(plan_extents(asked, all, layout), mine.extents, mine.buffers);
  mine.unpack_extents();
}

/// Serves the ranks that have the same `number`, with data that has no extents, and if
/// `with_extents` also with the other.
void serve(const ReadCall& call, PreparedRead& mine, AgreedRead& known, std::uint64_t number,
           bool with_extents) {
  CommunicatorBackend* group = call.file.transfers().serving_group.join(call.comm(), number);
  known.facts.groups = group != nullptr;
  known.plan_for(call);
  if (group == nullptr)
    return agree(call.comm(), [&] {
      for (const SharedRead& read : mine.reads)
        if (read.extents() != nullptr ? with_extents : read.reads_the_file()) read.read_alone();
    });
  agree(call.comm(), [&] {
    const bool one = mine.reads.size() == 1;
    const bool in_parts = known.has(ReadNews::kByParts);
    const std::uint64_t before = group->collectives();
    known.facts.shares_memory =
        share_memory(call, with_extents ? mine.bytes() : mine.elsewhere_bytes(), *group);
    for (SharedRead& read : mine.reads)
      if (with_extents && read.extents() != nullptr && (one || read.by_parts()))
        read.hear(*group, in_parts);
    mine.hear_elsewhere(*group, in_parts);
    if (!one && with_extents) hear_extents(call.file, mine, *group);
    if (const std::exception_ptr refused = mine.failure()) std::rethrow_exception(refused);
    call.comm().count_collectives(group->collectives() - before);
  });
  known.plan_for(call);
}

/// Broadcasts among the ranks that want the same, once all ranks know what each wants and that
/// none has failed.
void serve_all(const ReadCall& call, PreparedRead& mine, AgreedRead& known) {
  // The way of reading must be equal, too: one rank may have in memory what others read.
  const CallSummary& summary = mine.summary;
  Digest digest(summary.request.value);
  digest.add(summary.elsewhere.value).add(mine.extents.bytes());
  if (mine.reads.size() != 1)
    for (const SharedRead& read : mine.reads)
      digest.add(read.by_parts() && read.extents() != nullptr ? 1U : 0U);
  serve(call, mine, known, digest.value(), true);
}

// --- each rank reads its part
// ---------------------------------------------------------------------
/// Finds the chunks that several ranks want; for a list, by one more reduction. Chunks of
/// different lists are not compared. Returns the error if this rank cannot tell.
std::exception_ptr find_shared_chunks(const ReadCall& call, PreparedRead& mine, AgreedRead& known) {
  std::exception_ptr failure;
  if (!known.all.named.equal) return failure;
  if (known.has(ReadNews::kList)) {
    comm::try_to(failure, [&] { mine.look_for_chunks(); });
    std::vector<WantedChunks> wanted = mine.chunks.wanted(call.reads.size());
    combine(call.comm(), wanted);
    mine.chunks.find_shared(wanted);
  } else {
    mine.chunks.find_shared({&known.all.chunks, 1});
  }
  known.facts.shares_chunks = mine.chunks.any();
  known.plan_for(call);
  return failure;
}

/// Reads data that has no extents: one rank reads for all that want the same, or each rank reads
/// by itself. Returns the error.
std::exception_ptr read_elsewhere(const ReadCall& call, PreparedRead& mine, AgreedRead& known) {
  std::exception_ptr failure;
  if (known.plan.elsewhere.method == Method::broadcast) {
    share_memory(call, mine.elsewhere_bytes(), call.comm());
    mine.hear_elsewhere(call.comm(), known.has(ReadNews::kByParts));
  } else if (known.plan.elsewhere.method == Method::serve) {
    serve(call, mine, known, mine.summary.elsewhere.value, false);
  } else {
    comm::try_to(failure, [&] { mine.read_elsewhere_alone(); });
  }
  return failure;
}

void transfer_extents(FileState& file, PreparedRead& mine, const TransferPlan& plan,
                      const std::exception_ptr& failure) {
  collective_file(file).read(plan, mine.extents, mine.buffers, failure);
  mine.unpack_extents();
}

/// Reads data that has extents if some rank converts or rearranges more than a buffer takes.
void read_by_parts(const ReadCall& call, PreparedRead& mine, const AgreedRead& known,
                   std::exception_ptr failure) {
  const std::vector<SharedRead*> by_parts = mine.by_parts();
  const bool in_rounds = known.plan.parts.method == Method::collective;
  if (!in_rounds)
    comm::try_to(failure, [&] {
      for (const SharedRead* read : by_parts) read->read_alone();
    });
  if (known.all.wanted.ranks != 0)
    transfer_extents(call.file, mine, known.plan, std::exchange(failure, {}));
  else if (!in_rounds)
    comm::raise_any(call.comm(), failure);
  if (in_rounds) read_in_rounds(call.file, by_parts, call.asked.method, failure);
}

/// Reads each kind of data as the plan says.
void read_each(const ReadCall& call, PreparedRead& mine, AgreedRead& known) {
  std::exception_ptr failure;
  if (known.plan.looks_for_shared_chunks) failure = find_shared_chunks(call, mine, known);
  const Method elsewhere = known.plan.elsewhere.method;
  if (!failure) failure = read_elsewhere(call, mine, known);
  if (mine.chunks.any()) mine.chunks.read(failure);
  if (known.has(ReadNews::kExtentsByParts)) return read_by_parts(call, mine, known, failure);
  if (known.all.wanted.ranks != 0) return transfer_extents(call.file, mine, known.plan, failure);
  // Ranks that shared or broadcast chunks have agreed already.
  if (elsewhere == Method::plain || elsewhere == Method::independent)
    comm::raise_any(call.comm(), failure);
}

/// The phases of a read, which all ranks go through. `settled`: all ranks know what any rank wrote.
void read_in_phases(const ReadCall& call, const std::exception_ptr& failure, bool settled) {
  FileState& file = call.file;
  PreparedRead mine(call);
  AgreedRead known = compare(call, mine, settled, failure);
  if (const UnsettledWrites writes{known.has(ReadNews::kPendingCompact),
                                   known.has(ReadNews::kPendingChunks),
                                   known.has(ReadNews::kPendingValues)};
      writes.any()) {
    settle(file, writes);
    return read_in_phases(call, {}, true);
  }
  if (known.has(ReadNews::kUnfilled)) fill_unwritten(file);
  require_equal(call, mine, known.plan);

  if (known.plan.all_hear) {
    known.facts.shares_memory = share_memory(call, mine.bytes(), call.comm());
    known.plan_for(call);
    mine.reads.front().hear(call.comm(), known.has(ReadNews::kByParts));
  } else if (known.plan.extents.method == Method::serve) {
    serve_all(call, mine, known);
  } else if (known.plan.told.method != Method::none) {
    read_each(call, mine, known);
  }
  const std::exception_ptr refused = mine.failure();
  if (known.has(ReadNews::kDevice)) comm::raise_any(call.comm(), refused);
  if (refused) std::rethrow_exception(refused);
  note_transfer(file, known.plan, mine.bytes());
}

}  // namespace

void read_together(FileState& file, CallKind kind, std::span<const Read> reads, Sharing sharing,
                   const std::exception_ptr& failure, Datasets named) {
  file.require_open();
  const TransferScope scope(file, name_of(kind));
  // Ranks with lists of their own cannot trust the others to read the same.
  if (named == Datasets::own && sharing == Sharing::trust) sharing = Sharing::automatic;
  const ReadCall call{file, kind, reads, named, sharing};
  call.is_trusting() ? read_trusting(call, failure) : read_in_phases(call, failure, false);
}

}  // namespace onecast::together
