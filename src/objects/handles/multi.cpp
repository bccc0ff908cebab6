#include "onecast/objects/multi.hpp"

#include <memory>
#include <vector>

#include "base/make_error.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "objects/files/pending_call.hpp"
#include "objects/handles/request_members.hpp"
#include "objects/together/read_together.hpp"
#include "objects/together/write_together.hpp"

namespace onecast {

using namespace handles;

namespace {

/// Returns the item for each request, or sets `failure`.
template <class Item, class Requests, class F>
std::vector<Item> items_of(const FileState& file, CallKind kind, const Requests& requests,
                           std::exception_ptr& failure, F&& item) {
  std::vector<Item> items;
  try {
    if (failure) std::rethrow_exception(failure);
    file.require_open();
    for (const auto& request : requests) {
      if (request.how.failure) std::rethrow_exception(request.how.failure);
      Node& dataset = ObjectAccess::node(request.dataset);
      if (&file_of(dataset) != &file)
        throw argument_error("{}: {}: {} is of another file", file.path(), name_of(kind),
                             dataset.where());
      items.push_back(item(dataset, request));
    }
  } catch (...) {
    items.clear();
    failure = std::current_exception();
  }
  return items;
}

const std::byte* memory_of(const WriteRequest& request) { return request.bytes.data(); }
const std::byte* memory_of(const ReadRequest& request) { return request.out.data(); }

/// A list for a later call, with what its requests refer to.
template <class Request>
struct KeptList {
  explicit KeptList(std::span<const Request> list) : requests(list.begin(), list.end()) {
    for (Request& request : requests) kept.keep(request.how, memory_of(request));
  }

  std::vector<Request> requests;
  KeptForLater kept;
};

}  // namespace

void File::write_multi(std::span<const WriteRequest> requests, const std::exception_ptr& failure,
                       Datasets named) {
  std::exception_ptr why = failure;
  const auto writes = items_of<Write>(
      *state_, CallKind::write_multi, requests, why, [&](Node& dataset, const auto& r) {
        require_writable(ObjectAccess::handle(r.dataset));
        const RequestView how(r.how);
        require_members(dataset, "write_multi", how, Takes::values);
        return Write{&dataset,        r.bytes,         how.memory, how.part,
                     how.memory_type, &values_of(how), how.stream};
      });
  write_together(*state_, CallKind::write_multi, writes, why, named);
}

void File::read_multi(std::span<const ReadRequest> requests, const std::exception_ptr& failure,
                      Datasets named) const {
  std::exception_ptr why = failure;
  std::optional<Sharing> sharing;
  for (const ReadRequest& r : requests)
    if (!sharing) sharing = r.how.sharing;
  const auto reads = items_of<Read>(
      *state_, CallKind::read_multi, requests, why, [&](Node& dataset, const auto& r) {
        const RequestView how(r.how);
        require_members(dataset, "read_multi", how, Takes::sharing);
        if (how.sharing && *sharing != *how.sharing)
          throw argument_error("{}: read_multi: sharing: not all requests have one",
                               dataset.where());
        return Read{&dataset, r.out, how.memory, how.part, how.memory_type, how.stream};
      });
  read_together(*state_, CallKind::read_multi, reads, sharing.value_or(state_->options().sharing),
                why, named);
}

Pending File::write_multi_async(std::span<const WriteRequest> requests,
                                const std::exception_ptr& failure, Datasets named) {
  return begin_call(
      *state_.now(),
      [file = *this, list = std::make_shared<KeptList<WriteRequest>>(requests), failure,
       named]() mutable { file.write_multi(list->requests, failure, named); });
}

Pending File::read_multi_async(std::span<const ReadRequest> requests,
                               const std::exception_ptr& failure, Datasets named) const {
  return begin_call(*state_.now(),
                    [file = *this, list = std::make_shared<KeptList<ReadRequest>>(requests),
                     failure, named] { file.read_multi(list->requests, failure, named); });
}

}  // namespace onecast
