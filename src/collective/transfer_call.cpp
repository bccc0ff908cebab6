#include "collective/transfer_call.hpp"

#include "collective/direct_access.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {

void write_for_itself(const TransferCall& call, bool takes_part) {
  std::exception_ptr failure = call.failure;
  if (takes_part) try_to(failure, [&] { write_directly(call.file, call.extents, call.out); });
  comm::raise_any(call.comm, failure);
}

void write_for_itself(const TransferCall& call) { write_for_itself(call, true); }

void read_for_itself(const TransferCall& call) {
  std::exception_ptr failure = call.failure;
  try_to(failure, [&] { read_directly(call.file, call.extents, call.in); });
  comm::raise_any(call.comm, failure);
}

}  // namespace onecast::collective
