#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/exchanges.hpp"
#include "collective/extent_list.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

/// The arguments of a method that carries out a collective call. The method throws the Error of the
/// lowest rank that failed, on all ranks.
struct TransferCall {
  CommunicatorBackend& comm;
  Transport& file;
  Exchanges& exchanges;
  const AccessSummary& wanted;  ///< by all ranks
  const ExtentList& extents;    ///< of this rank
  const OutBuffers& out;        ///< for a write
  const InBuffers& in;          ///< for a read
  std::exception_ptr failure;   ///< an error of this rank in other work
};

/// Each rank transfers for itself. @collective
void write_for_itself(const TransferCall& call);
void read_for_itself(const TransferCall& call);

/// Writes some of this rank's extents. On known stripes a long piece begins on a target of this
/// rank's, so that ranks do not all wait for one target and then for the next.
void write_in_turn(const TransferCall& call, const ExtentList& extents);

}  // namespace onecast::collective
