#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/exchanges.hpp"
#include "collective/extent_list.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

/// A collective call whose method is settled: what carries it out is given this. It throws the
/// Error of the lowest rank that failed, on all ranks.
struct TransferCall {
  CommunicatorBackend& comm;
  Transport& file;
  Exchanges& exchanges;
  const AccessSummary& wanted;  ///< by all ranks
  const ExtentList& extents;    ///< of this rank
  const OutBuffers& out;        ///< of a write
  const InBuffers& in;          ///< of a read
  std::exception_ptr failure;   ///< of what this rank did besides
};

/// Each rank for itself. `takes_part`: this rank writes. @collective
void write_for_itself(const TransferCall& call, bool takes_part);
void write_for_itself(const TransferCall& call);
void read_for_itself(const TransferCall& call);

}  // namespace onecast::collective
