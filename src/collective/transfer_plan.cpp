#include "collective/transfer_plan.hpp"

#include <fmt/format.h>

#include "comm/node/node_memory.hpp"
#include "stripes/owner_map.hpp"

namespace onecast::collective {
namespace {

constexpr const char* kAskedFor = "it was requested";
constexpr const char* kOneProcess = "there is one process";
constexpr const char* kInMemory = "the requested data is in memory";
constexpr const char* kByBuffers = "one buffer at a time";

bool is_automatic(const AskedTransfer& asked) { return asked.method == Method::automatic; }

/// A plan with one method for everything.
TransferPlan all_of_it(Method method, const char* why) {
  TransferPlan plan;
  plan.extents = plan.elsewhere = plan.parts = plan.told = {method, why};
  return plan;
}

TransferPlan all_hear(const char* why) {
  TransferPlan plan = all_of_it(Method::broadcast, why);
  plan.all_hear = true;
  return plan;
}

void tell_parts(TransferPlan& plan, const Choice& choice) {
  plan.parts = plan.told = choice;
  plan.counts = choice.method == Method::collective;
}

void tell_elsewhere(TransferPlan& plan, const Choice& choice) {
  plan.elsewhere = plan.told = choice;
  plan.counts = false;
}

void tell_extents(TransferPlan& plan, const AskedTransfer& asked, const AccessSummary& all,
                  const StripeLayout& layout) {
  plan.extents = plan.told =
      choose_method(asked.direction, all, layout, asked.ranks, asked.nodes, asked.method);
  plan.wanted = all;
  plan.counts = true;
  plan.stripe_size = layout.stripe_size;
}

/// Ranks want different parts; those that want equal ones share.
TransferPlan plan_serving(const AskedTransfer& asked, const KnownTransfer& known,
                          const StripeLayout& layout) {
  if (!known.reads_the_file) return all_of_it(Method::none, kInMemory);
  Choice serve{Method::independent, "no two ranks want one part"};
  if (known.groups)
    serve = {Method::serve,
             known.shares_memory
                 ? "ranks that want one part share one read, and memory of their node"
                 : "ranks that want one part share one read and one broadcast"};
  if (!known.small_pieces && !transfers_for_others(asked.method))
    return all_of_it(serve.method, serve.words);
  TransferPlan plan;
  if (known.elsewhere) tell_elsewhere(plan, serve);
  AskedTransfer in_two_phases = asked;
  in_two_phases.method = Method::collective;
  if (known.wanted.ranks != 0) tell_extents(plan, in_two_phases, known.wanted, layout);
  if (known.by_parts) tell_parts(plan, {Method::collective, kByBuffers});
  return plan;
}

Choice plan_elsewhere(const KnownTransfer& known) {
  if (known.same_elsewhere)
    return {Method::broadcast, "all ranks want one part: rank 0 reads and broadcasts"};
  if (known.shares_chunks)
    return {Method::chunked, "ranks want the same chunks: each is read once"};
  return {Method::independent, "the ranks want different parts, which are not directly stored"};
}

Choice plan_parts(const AskedTransfer& asked, const KnownTransfer& known) {
  const bool small = is_automatic(asked) && (known.small_pieces || known.same);
  if (transfers_for_others(asked.method) || small) return {Method::collective, kByBuffers};
  return {Method::independent, is_automatic(asked) ? "no rank wants many small pieces" : kAskedFor};
}

TransferPlan plan_reading(const AskedTransfer& asked, const KnownTransfer& known,
                          const StripeLayout& layout) {
  const bool plain = asked.method == Method::plain;
  if (asked.ranks == 1) return all_of_it(Method::plain, kOneProcess);
  if (asked.sharing == Comparing::trust) {
    if (plain && !known.may_differ) return all_of_it(Method::plain, kAskedFor);
    if (!known.reads_the_file) return all_of_it(Method::none, kInMemory);
    return all_hear(known.shares_memory
                        ? "sharing is trust: rank 0 reads, and the ranks of each node copy it from "
                          "memory that they share"
                        : "sharing is trust: rank 0 reads and broadcasts");
  }
  if (!known.same && asked.sharing == Comparing::verify) {
    TransferPlan plan =
        all_of_it(Method::none, "sharing is verify, and the ranks want different parts");
    plan.is_refused = true;
    return plan;
  }
  if (plain) return all_of_it(Method::plain, kAskedFor);
  if (!known.same && asked.sharing == Comparing::serve) return plan_serving(asked, known, layout);
  if (!known.reads_the_file) return all_of_it(Method::none, kInMemory);
  if (known.same && !known.is_list)
    return all_hear(known.shares_memory
                        ? "all ranks want one part: rank 0 reads, and the ranks of each node copy "
                          "it from memory that they share"
                        : "all ranks want one part: rank 0 reads and broadcasts");

  TransferPlan plan;
  plan.looks_for_shared_chunks =
      known.decodes && !known.same_elsewhere && asked.method != Method::independent;
  if (known.elsewhere) tell_elsewhere(plan, plan_elsewhere(known));
  const Choice parts = known.by_parts ? plan_parts(asked, known) : Choice{};
  const bool in_rounds = parts.method == Method::collective;
  if (known.by_parts && !in_rounds) tell_parts(plan, parts);
  if (known.wanted.ranks != 0) tell_extents(plan, asked, known.wanted, layout);
  if (in_rounds) tell_parts(plan, parts);
  return plan;
}

TransferPlan plan_writing(const AskedTransfer& asked, const KnownTransfer& known,
                          const StripeLayout& layout) {
  TransferPlan plan;
  if (known.wanted.ranks != 0)
    tell_extents(plan, asked, known.wanted, layout);
  else if (asked.ranks == 1)
    plan.extents = plan.told = {Method::plain, kOneProcess};
  else if (is_automatic(asked))
    plan.extents = plan.told = {Method::plain, "no rank writes many small pieces"};
  else  // a method without agreement, or one that has nothing to do
    plan.extents =
        plan.told = {transfers_for_others(asked.method) ? Method::plain : asked.method, kAskedFor};
  if (known.by_parts) tell_parts(plan, {Method::collective, kByBuffers});
  if (known.new_chunks)
    tell_elsewhere(
        plan, {Method::chunked, "each chunk is assembled by one rank, or was written in place"});
  else if (known.compact)
    tell_elsewhere(plan,
                   {Method::none, "compact data is part of the metadata, which flush writes"});
  return plan;
}

}  // namespace

bool agree_first(const AskedTransfer& asked, const StripeLayout& layout) {
  if (asked.ranks == 1) return false;
  return is_automatic(asked) ? has_contention(layout) : transfers_for_others(asked.method);
}

/// If stripes are places of contention, the ranks agree first who writes them; elsewhere only if
/// pieces are small. If a rank writes a whole dataset, others may write it, too, so one rank should
/// write it. A small one is most likely equal on all ranks. So the rank whose bytes stay in any
/// case writes it before it hears of the others, which then need not wait.
BeforeAgreement before_agreement(const AskedTransfer& asked, const OwnPart& mine,
                                 const StripeLayout& layout) {
  constexpr std::uint64_t kLittle = std::uint64_t{64} << 10U;
  if (mine.bytes == 0 || asked.ranks == 1) return BeforeAgreement::writes;
  if (asked.sharing == Comparing::verify) return BeforeAgreement::waits;
  const bool is_small = !is_worth_its_calls(asked.direction, mine.pieces, mine.bytes);
  if (!agree_first(asked, layout) && !(is_automatic(asked) && (is_small || mine.is_all)))
    return BeforeAgreement::writes;
  if (is_automatic(asked) && mine.is_all && mine.is_one && mine.bytes <= kLittle &&
      mine.is_of_highest_rank && !mine.leaves_holes)
    return BeforeAgreement::writes_for_all;
  return BeforeAgreement::waits;
}

TransferPlan plan_transfer(const AskedTransfer& asked, const KnownTransfer& known,
                           const StripeLayout& layout) {
  return asked.direction == TransferDirection::reading ? plan_reading(asked, known, layout)
                                                       : plan_writing(asked, known, layout);
}

TransferPlan plan_extents(const AskedTransfer& asked, const AccessSummary& all,
                          const StripeLayout& layout) {
  TransferPlan plan;
  tell_extents(plan, asked, all, layout);
  return plan;
}

std::string TransferPlan::sentence() const {
  std::string text = told.reason();
  if (!counts || wanted.bytes == 0) return text;
  text += "; " + counts_in_words(wanted, stripe_size);
  if (entry_of(told.method).has_aggregators)
    text += fmt::format(", by {}", counted(aggregators, "aggregator"));
  if (wanted.done != 0) text += fmt::format("; {} did not wait", counted(wanted.done, "rank"));
  return text;
}

std::size_t nodes_for(CommunicatorBackend& comm, const AskedTransfer& asked,
                      const AccessSummary& all, const StripeLayout& layout) {
  return asks_for_nodes(asked.direction, all, layout, asked.method) ? count_nodes(comm) : 1;
}

std::uint64_t stripes_within(const AccessSummary& wanted, std::uint64_t stripe_size) {
  if (wanted.bytes == 0) return 0;
  return (wanted.high - 1) / stripe_size - wanted.low / stripe_size + 1;
}

std::string counts_in_words(const AccessSummary& wanted, std::uint64_t stripe_size) {
  return fmt::format("{} in {} of {}, within {} of {} bytes", counted(wanted.bytes, "byte"),
                     counted(wanted.pieces, "piece"), counted(wanted.ranks, "rank"),
                     counted(stripes_within(wanted, stripe_size), "stripe"), stripe_size);
}

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace onecast::collective
