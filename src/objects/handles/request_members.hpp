#pragma once

#include <deque>

#include "base/namespaces.hpp"
#include "device/stream_branch.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/transfer_request.hpp"

namespace onecast::handles {

using detail::RequestView;

/// The members of a request that a call uses, besides part, memory, memory_type and failure.
enum class Takes : std::uint8_t { nothing, sharing, values, values_and_sharing };

/// Throws Error (invalid_argument) if the request has members that `call` does not use.
void require_members(const Node& dataset, const char* call, const RequestView& request,
                     Takes takes);
/// Returns the request's values, or empty ones.
const NewValues& values_of(const RequestView& request);

/// What requests refer to, kept for calls that are carried out later.
class KeptForLater {
 public:
  /// Copies the request's values and makes it refer to the copy. If `memory` is a device's, makes
  /// the request wait for the work that its stream has now; the driver's error becomes the failure
  /// of the request.
  void keep(TransferRequest& request, const std::byte* memory);

 private:
  std::deque<NewValues> values_;
  std::deque<device::StreamBranch> branches_;
};

}  // namespace onecast::handles
