#include "collective/access_summary.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "comm/call_header.hpp"

namespace onecast::collective {
namespace {

/// The reduction copies the bytes of the values.
static_assert(std::is_trivially_copyable_v<CallSummary>);

/// FNV-1a over whole numbers.
class Digest {
 public:
  void add(std::uint64_t value) { value_ = (value_ ^ value) * 0x100000001B3U; }
  [[nodiscard]] std::uint64_t value() const { return value_ ^ (value_ >> 29U); }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

std::uint64_t digest_of(const ExtentList& extents) {
  Digest digest;
  for (const StridedRun& run : extents.runs())
    for (const std::uint64_t value :
         {run.offset, run.length, run.stride, run.count, run.outer_stride, run.outer_count})
      digest.add(value);
  return digest.value();
}

std::int64_t combined_distance(std::int64_t a, std::int64_t b) {
  if (a == AccessSummary::kAnyDistance) return b;
  if (b == AccessSummary::kAnyDistance || a == b) return a;
  return AccessSummary::kNoDistance;
}

Compared combined(const Compared& a, const Compared& b) {
  return {a.value, a.equal && b.equal && a.value == b.value};
}

CallSummary combined(const CallSummary& lower, const CallSummary& higher) {
  CallSummary both;
  both.wanted = combined(lower.wanted, higher.wanted, higher.stripe_size);
  both.chunks = lower.chunks;
  both.chunks.add(higher.chunks);
  both.stripe_size = higher.stripe_size;
  both.flags = lower.flags | higher.flags;
  both.request = combined(lower.request, higher.request);
  both.elsewhere = combined(lower.elsewhere, higher.elsewhere);
  both.named = combined(lower.named, higher.named);
  return both;
}

void combine_summaries(const std::byte* lower, std::byte* higher) {
  CallSummary a;
  CallSummary b;
  std::memcpy(&a, lower, sizeof a);
  std::memcpy(&b, higher, sizeof b);
  b = combined(a, b);
  std::memcpy(higher, &b, sizeof b);
}

static_assert(sizeof(CallSummary) <= kHeaderBody);
[[maybe_unused]] const bool kIsKnown = set_body_rule(BodyRule::transfer, combine_summaries);

}  // namespace

AccessSummary summary_of(const ExtentList& extents) {
  AccessSummary summary;
  if (extents.empty()) return summary;
  summary.low = extents.begin();
  summary.high = extents.end();
  summary.bytes = summary.least_bytes = summary.most_bytes = extents.bytes();
  summary.pieces = summary.most_pieces = extents.stretches();
  summary.ranks = 1;
  summary.digest = digest_of(extents);
  summary.packed = extents.is_packed();
  return summary;
}

AccessSummary combined(const AccessSummary& lower, const AccessSummary& higher,
                       std::uint64_t stripe_size) {
  AccessSummary both;
  both.low = std::min(lower.low, higher.low);
  both.high = std::max(lower.high, higher.high);
  both.bytes = lower.bytes + higher.bytes;
  both.pieces = lower.pieces + higher.pieces;
  both.most_pieces = std::max(lower.most_pieces, higher.most_pieces);
  both.least_bytes = std::min(lower.least_bytes, higher.least_bytes);
  both.most_bytes = std::max(lower.most_bytes, higher.most_bytes);
  both.ranks = lower.ranks + higher.ranks;
  both.failed = lower.failed + higher.failed;
  both.done = lower.done + higher.done;
  for (std::size_t i = 0; i < kKeptPlans; ++i)
    both.distances[i] = combined_distance(lower.distances[i], higher.distances[i]);
  both.packed = lower.packed && higher.packed;
  both.written = higher.written;
  both.same = lower.same && higher.same;
  both.ordered = lower.ordered && higher.ordered;
  both.apart = lower.apart && higher.apart;
  both.digest = lower.ranks != 0 ? lower.digest : higher.digest;
  if (lower.ranks != 0 && higher.ranks != 0) {
    both.same = both.same && lower.digest == higher.digest;
    both.ordered = both.ordered && lower.high <= higher.low;
    both.apart =
        both.apart && both.ordered && (lower.high - 1) / stripe_size < higher.low / stripe_size;
  }
  return both;
}

AccessSummary summarize(CommunicatorBackend& comm, const AccessSummary& mine,
                        std::uint64_t stripe_size) {
  CallSummary all;
  all.wanted = mine;
  all.stripe_size = stripe_size;
  comm.all_combine(std::as_writable_bytes(std::span(&all, 1)), combine_summaries);
  return all.wanted;
}

}  // namespace onecast::collective
