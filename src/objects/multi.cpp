#include "onecast/objects/multi.hpp"

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "objects/file_opening.hpp"
#include "objects/file_state.hpp"
#include "objects/object_access.hpp"
#include "objects/pending_call.hpp"
#include "objects/read_together.hpp"
#include "objects/write_together.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

const MemoryLayout* pointer_to(const std::optional<MemoryLayout>& layout) {
  return layout ? &*layout : nullptr;
}

/// What `item` makes of each request, or why there is none.
template <class Item, class Requests, class F>
std::vector<Item> items_of(const FileState& file, CallKind kind, const Requests& requests,
                           std::exception_ptr& failure, F&& item) {
  std::vector<Item> items;
  try {
    file.require_open();
    for (const auto& request : requests) {
      Node& dataset = ObjectAccess::node(request.dataset);
      if (dataset.file != &file)
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{}: {}: {} is of another file", file.path, name_of(kind),
                                dataset.where()));
      items.push_back(item(dataset, request));
    }
  } catch (...) {
    items.clear();
    failure = std::current_exception();
  }
  return items;
}

/// A list that is written later, with the values that it refers to.
struct KeptWrites {
  explicit KeptWrites(std::span<const WriteRequest> list) : requests(list.begin(), list.end()) {
    for (WriteRequest& request : requests)
      if (request.values != nullptr) request.values = &values.emplace_back(*request.values);
  }

  std::vector<WriteRequest> requests;
  std::deque<NewValues> values;
};

}  // namespace

void File::write_multi(std::span<const WriteRequest> requests) {
  std::exception_ptr failure;
  const NewValues none;
  const auto writes = items_of<Write>(
      *state_, CallKind::write_multi, requests, failure, [&](Node& dataset, const WriteRequest& r) {
        require_writable(ObjectAccess::handle(r.dataset));
        return Write{&dataset, r.bytes,       pointer_to(r.layout),
                     &r.part,  r.memory_type, r.values != nullptr ? r.values : &none};
      });
  write_together(*state_, CallKind::write_multi, writes, failure);
}

void File::read_multi(std::span<const ReadRequest> requests) const {
  std::exception_ptr failure;
  const auto reads = items_of<Read>(
      *state_, CallKind::read_multi, requests, failure, [&](Node& dataset, const ReadRequest& r) {
        return Read{&dataset, r.out, pointer_to(r.layout), &r.part, r.memory_type};
      });
  read_together(*state_, CallKind::read_multi, reads, state_->options.sharing, failure);
}

void File::fail_write_multi(const std::exception_ptr& failure) {
  write_together(*state_, CallKind::write_multi, {}, failure);
  std::rethrow_exception(failure);
}

void File::fail_read_multi(const std::exception_ptr& failure) const {
  read_together(*state_, CallKind::read_multi, {}, state_->options.sharing, failure);
  std::rethrow_exception(failure);
}

Pending File::write_multi_async(std::span<const WriteRequest> requests) {
  return begin_call(*state_.now(),
                    [file = *this, list = std::make_shared<KeptWrites>(requests)]() mutable {
                      file.write_multi(list->requests);
                    });
}

Pending File::read_multi_async(std::span<const ReadRequest> requests) const {
  return begin_call(*state_.now(),
                    [file = *this, list = std::vector(requests.begin(), requests.end())] {
                      file.read_multi(list);
                    });
}

Pending File::fail_write_multi_async(std::exception_ptr failure) {
  return begin_call(*state_.now(), [file = *this, failure = std::move(failure)]() mutable {
    file.fail_write_multi(failure);
  });
}

Pending File::fail_read_multi_async(std::exception_ptr failure) const {
  return begin_call(*state_.now(), [file = *this, failure = std::move(failure)] {
    file.fail_read_multi(failure);
  });
}

}  // namespace onecast
