#pragma once

#include <deque>

#include "base/namespaces.hpp"
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

/// Copies of the values to which requests refer, for calls that are carried out later.
class KeptValues {
 public:
  /// Copies the request's values and makes it refer to the copy.
  void keep(TransferRequest& request) {
    if (request.values != nullptr) request.values = &values_.emplace_back(*request.values);
  }

 private:
  std::deque<NewValues> values_;
};

}  // namespace onecast::handles
