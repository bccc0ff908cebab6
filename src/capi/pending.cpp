#include "capi/pending.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "capi/guard.hpp"
#include "capi/request.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

/// begin(request, room); what is wrong before, fail(why) makes the call's own error.
template <class Begin, class Fail>
onecast_status begin_read(const onecast_object* dataset, const onecast_part* part,
                          const onecast_type* memory_type, void* out, size_t size,
                          onecast_pending** pending, Begin&& begin, Fail&& fail) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    const Dataset& from = as_dataset(dataset);
    onecast_pending made;
    try {
      const Request request(from, part, memory_type);
      made.call = begin(from, request, room(out, size));
    } catch (...) {
      made.call = fail(from, std::current_exception());
    }
    give(pending, std::move(made));
  });
}

template <class Begin, class Fail>
onecast_status begin_write(onecast_object* dataset, const onecast_part* part,
                           const onecast_type* memory_type, const void* data, size_t size,
                           onecast_pending** pending, Begin&& begin, Fail&& fail) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    Dataset& to = as_dataset(dataset);
    onecast_pending made;
    try {
      const Request request(to, part, memory_type);
      made.call = begin(to, request, bytes(data, size));
    } catch (...) {
      made.call = fail(to, std::current_exception());
    }
    give(pending, std::move(made));
  });
}

/// Of an independent call.
[[noreturn]] Pending throw_it(const Dataset& /*dataset*/, const std::exception_ptr& failure) {
  std::rethrow_exception(failure);
}

}  // namespace

onecast_status onecast_dataset_read_async(const onecast_object* dataset, const onecast_part* part,
                                          const onecast_type* memory_type, void* out, size_t size,
                                          onecast_pending** pending) {
  return begin_read(
      dataset, part, memory_type, out, size, pending,
      [](const Dataset& from, const Request& r, auto to) {
        return r.memory ? from.read_async(to, *r.memory, r.part, r.type)
                        : from.read_async(to, r.part, r.type);
      },
      throw_it);
}

onecast_status onecast_dataset_read_all_async(const onecast_object* dataset,
                                              const onecast_part* part,
                                              const onecast_type* memory_type, void* out,
                                              size_t size, onecast_pending** pending) {
  return begin_read(
      dataset, part, memory_type, out, size, pending,
      [](const Dataset& from, const Request& r, auto to) {
        return r.memory ? from.read_all_async(to, *r.memory, r.part, r.type)
                        : from.read_all_async(to, r.part, r.type);
      },
      [](const Dataset& from, std::exception_ptr why) {
        return from.fail_read_all_async(std::move(why));
      });
}

onecast_status onecast_dataset_write_async(onecast_object* dataset, const onecast_part* part,
                                           const onecast_type* memory_type, const void* data,
                                           size_t size, onecast_pending** pending) {
  return begin_write(
      dataset, part, memory_type, data, size, pending,
      [](Dataset& to, const Request& r, auto from) {
        return r.memory ? to.write_async(from, *r.memory, r.part, r.type)
                        : to.write_async(from, r.part, r.type);
      },
      throw_it);
}

onecast_status onecast_dataset_write_all_async(onecast_object* dataset, const onecast_part* part,
                                               const onecast_type* memory_type, const void* data,
                                               size_t size, onecast_pending** pending) {
  return begin_write(
      dataset, part, memory_type, data, size, pending,
      [](Dataset& to, const Request& r, auto from) {
        return r.memory ? to.write_all_async(from, *r.memory, r.part, r.type)
                        : to.write_all_async(from, r.part, r.type);
      },
      [](Dataset& to, std::exception_ptr why) { return to.fail_write_all_async(std::move(why)); });
}

onecast_status onecast_file_flush_async(onecast_file* file, onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    give(pending, {required(file, "file").file.flush_async()});
  });
}

onecast_status onecast_pending_wait(onecast_pending** pending) {
  return guard([&] {
    const std::unique_ptr<onecast_pending> call(
        std::exchange(required(pending, "pending"), nullptr));
    if (call) call->call.wait();
  });
}

onecast_status onecast_pending_is_done(const onecast_pending* pending, int* is_done) {
  return guard(
      [&] { required(is_done, "is_done") = required(pending, "pending").call.is_done() ? 1 : 0; });
}

void onecast_pending_free(onecast_pending** pending) {
  if (pending != nullptr) delete std::exchange(*pending, nullptr);
}
