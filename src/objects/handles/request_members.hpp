#pragma once

#include <deque>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "onecast/objects/transfer_request.hpp"

namespace onecast::handles {

/// What of a request a call takes, besides part, memory, memory_type and failure.
enum class Takes : std::uint8_t { nothing, sharing, values, values_and_sharing };

/// Throws Error (invalid_argument) for what `call` does not take.
void require_members(const Node& dataset, const char* call, const RequestView& request,
                     Takes takes);
/// Those of the request, or none.
const NewValues& values_of(const RequestView& request);

/// Copies of the values that requests refer to, for calls that are carried out later.
class KeptValues {
 public:
  /// The request refers to the copy from now on.
  void keep(TransferRequest& request) {
    if (request.values != nullptr) request.values = &values_.emplace_back(*request.values);
  }

 private:
  std::deque<NewValues> values_;
};

}  // namespace onecast::handles
