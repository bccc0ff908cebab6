#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "comm/message_batch.hpp"
#include "comm/mpi/mpi_names.hpp"
#include "comm/mpi/mpi_watch.hpp"

namespace onecast::comm {

/// Nonblocking messages over `comm`, counted in `sent`. These and `watch`, if not null, must
/// outlive the batch.
std::unique_ptr<MessageBatch> mpi_messages(const Mpi& mpi, MpiComm comm, MessageCounts& sent,
                                           MpiWatch* watch);

}  // namespace onecast::comm
