#pragma once

#include <mpi.h>

#include <memory>

#include "comm/message_batch.hpp"
#include "comm/mpi_watch.hpp"

namespace onecast {

/// Nonblocking messages over `comm`, counted in `sent`; these and the `watch`, if there is one,
/// outlive the batch.
std::unique_ptr<MessageBatch> mpi_messages(MPI_Comm comm, MessageCounts& sent, MpiWatch* watch);

}  // namespace onecast
