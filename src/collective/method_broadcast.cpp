#include <algorithm>

#include "collective/direct_access.hpp"
#include "collective/transfer_call.hpp"
#include "comm/agreement.hpp"
#include "comm/node/node_channel.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {
namespace {

bool is_one_place(const WantedByAll& wanted) {
  return wanted.all.same && wanted.all.ranks == wanted.ranks;
}

std::optional<Choice> suits(const WantedByAll& wanted) {
  if (!is_one_place(wanted)) return {};
  return Choice{Method::broadcast,
                "all {} ranks want the same {} bytes",
                {wanted.ranks, wanted.all.bytes / wanted.all.ranks}};
}

const char* hindrance(const WantedByAll& wanted) {
  return is_one_place(wanted) ? nullptr
                              : "broadcast was requested, but the ranks want different bytes";
}

/// Only the highest rank writes, since its bytes stay in any case.
void write_once(const TransferCall& call) {
  std::exception_ptr failure = call.failure;
  if (call.comm.rank() == call.comm.size() - 1)
    try_to(failure, [&] { write_directly(call.file, call.extents, call.out); });
  comm::raise_any(call.comm, failure);
}

/// Rank 0 reads for all ranks. They have the same extents, but may have different buffers.
void read_once(const TransferCall& call) {
  std::exception_ptr failure = call.failure;
  std::span<std::byte> memory;
  try_to(failure, [&] {
    if (!call.wanted.packed)
      memory = call.exchanges.memory(std::min(call.exchanges.share(), call.extents.bytes()));
    if (call.comm.rank() == 0) read_directly(call.file, call.extents, call.in);
  });
  // The ranks agree first, so that an error leaves all buffers unchanged.
  comm::raise_any(call.comm, failure);
  call.comm.want_channel(call.extents.bytes(), call.exchanges.share());
  if (call.wanted.packed)
    return comm::broadcast_large(call.comm, call.in.at(0, call.extents.bytes()));
  broadcast_pieces(call.comm, call.extents, call.in, memory);
}

}  // namespace

/// Reading: one rank reads and broadcasts. Writing: all ranks write the same extents, so only the
/// highest one does.
constinit const TransferMethodEntry kBroadcastMethod{.method = Method::broadcast,
                                                     .name = "broadcast",
                                                     .transfers_for_others = true,
                                                     .suits = suits,
                                                     .hindrance = hindrance,
                                                     .write = write_once,
                                                     .read = read_once};

}  // namespace onecast::collective
