#pragma once

#include <mpi.h>

#include <memory>

#include "comm/message_batch.hpp"

namespace onecast {

/// Nonblocking messages over `comm`, counted in `sent`; both outlive the batch.
std::unique_ptr<MessageBatch> mpi_messages(MPI_Comm comm, MessageCounts& sent);

}  // namespace onecast
