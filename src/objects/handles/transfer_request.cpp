#include "onecast/objects/transfer_request.hpp"

#include "base/make_error.hpp"
#include "base/of_process.hpp"
#include "objects/handles/request_members.hpp"

namespace onecast {

using namespace handles;

void detail::fail_without_type(std::size_t element_size) {
  throw argument_error("memory_type: expected for elements of a struct of {} bytes", element_size);
}

void handles::require_members(const Node& dataset, const char* call, const RequestView& request,
                              Takes takes) {
  const auto reject = [&](const char* what) {
    throw argument_error("{}: {}: {}", dataset.where(), call, what);
  };
  const bool values = takes == Takes::values || takes == Takes::values_and_sharing;
  const bool sharing = takes == Takes::sharing || takes == Takes::values_and_sharing;
  if (request.values != nullptr && !values) reject("values: only for writing");
  if (request.values != nullptr && request.memory_type)
    reject("memory_type: not with values, whose elements are of the stored type");
  if (request.sharing && !sharing) reject("sharing: only for read_all, read_multi and write_equal");
}

void handles::KeptForLater::keep(TransferRequest& request, const std::byte* memory) {
  if (request.values != nullptr) request.values = &values_.emplace_back(*request.values);
  if (!request.stream) return;
  try {
    if (const auto place = device::device_of(memory))
      request.stream = branches_.emplace_back(*place, *request.stream).handle();
  } catch (...) {
    if (!request.failure) request.failure = std::current_exception();
  }
}

const NewValues& handles::values_of(const RequestView& request) {
  return request.values != nullptr ? *request.values : of_process<const NewValues>();
}

}  // namespace onecast
