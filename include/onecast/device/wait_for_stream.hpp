#pragma once

#include <cstdint>

namespace onecast {

/// Waits until the work that a program has put into a stream of a device (a GPU) is complete.
/// Transfers with memory of a device wait by themselves for all streams that wait for the default
/// stream, or for the stream of their request; for other streams, call this before the transfer.
/// Does nothing if no driver knows `memory`.
/// @param memory memory of that device, or managed or page-locked for it
/// @param stream the handle of the stream as a number
/// Throws Error: io if the driver fails, invalid_argument if neither the process nor a device has
/// that memory. @independent
void wait_for_stream(const void* memory, std::uintptr_t stream);

}  // namespace onecast
