#include "collective/transfer_call.hpp"

#include <algorithm>

#include "base/round_up.hpp"
#include "collective/direct_access.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {

namespace {

/// Where a rank begins with one piece that has a stripe on every target: at the first stripe of a
/// target of its own. Returns the beginning of other extents.
std::uint64_t start_of(const StripeLayout& layout, int rank, const ExtentList& extents) {
  const std::uint64_t stripe = layout.stripe_size;
  const std::uint64_t targets = layout.stripe_count;
  if (!layout.is_known() || targets < 2 || extents.stretches() != 1 ||
      extents.bytes() < targets * stripe)
    return extents.begin();
  const std::uint64_t whole = round_up(extents.begin(), stripe) / stripe;
  const std::uint64_t mine = static_cast<std::uint64_t>(rank) % targets;
  const std::uint64_t start = (whole + (mine + targets - whole % targets) % targets) * stripe;
  return start < extents.end() ? start : extents.begin();
}

/// Calls `work` for the extents, in two parts if other ranks transfer as well and it helps.
template <class Work>
void in_turn(const TransferCall& call, const ExtentList& extents, Work&& work) {
  if (extents.empty()) return;
  if (call.wanted.ranks < 2) return work(extents);
  const std::uint64_t start = start_of(call.exchanges.layout(), call.comm.rank(), extents);
  if (start == extents.begin()) return work(extents);
  ExtentListBuilder first;
  ExtentListBuilder then;
  extents.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
    const std::uint64_t before = start > offset ? std::min(length, start - offset) : 0;
    then.add(offset, before, position);
    first.add(offset + before, length - before, position + before);
  });
  work(first.take());
  work(then.take());
}

}  // namespace

void write_in_turn(const TransferCall& call, const ExtentList& extents) {
  in_turn(call, extents,
          [&](const ExtentList& part) { write_directly(call.file, part, call.out); });
}

void write_for_itself(const TransferCall& call) {
  std::exception_ptr failure = call.failure;
  try_to(failure, [&] { write_in_turn(call, call.extents); });
  comm::raise_any(call.comm, failure);
}

void read_for_itself(const TransferCall& call) {
  std::exception_ptr failure = call.failure;
  try_to(failure, [&] {
    in_turn(call, call.extents,
            [&](const ExtentList& part) { read_directly(call.file, part, call.in); });
  });
  comm::raise_any(call.comm, failure);
}

}  // namespace onecast::collective
