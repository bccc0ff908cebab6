#pragma once

#include "objects/node.hpp"
#include "onecast/objects/transfer_request.hpp"

namespace onecast {

/// What of a request a call takes, besides part, memory, memory_type and failure.
enum class Takes : std::uint8_t { nothing, sharing, values, values_and_sharing };

/// Throws Error (invalid_argument) for what `call` does not take.
void require_members(const Node& dataset, const char* call, const RequestView& request,
                     Takes takes);
/// Those of the request, or none.
const NewValues& values_of(const RequestView& request);

}  // namespace onecast
