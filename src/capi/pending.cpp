#include "capi/pending.hpp"

#include <exception>
#include <memory>

#include "capi/guard.hpp"
#include "capi/transfers.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

/// Throws if an argument of an independent call is wrong, so that the call does not begin.
void require_right(Way way, const TransferRequest& request) {
  if (way == Way::alone && request.failure) std::rethrow_exception(request.failure);
}

onecast_status begin_read(const onecast_object* dataset, const onecast_selection* part,
                          const onecast_type* memory_type, void* out, size_t size,
                          onecast_pending** pending, Way way) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    const Dataset& from = as_dataset(dataset);
    const auto asked = plain_read(from, part, memory_type, out, size);
    require_right(way, asked.request);
    give(pending, {read_async(from, way, asked.bytes, asked.request)});
  });
}

onecast_status begin_write(onecast_object* dataset, const onecast_selection* part,
                           const onecast_type* memory_type, const void* data, size_t size,
                           onecast_pending** pending, Way way) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    Dataset& to = as_dataset(dataset);
    const auto asked = plain_write(to, part, memory_type, data, size);
    require_right(way, asked.request);
    give(pending, {write_async(to, way, asked.bytes, asked.request)});
  });
}

}  // namespace

onecast_status onecast_dataset_read_async(const onecast_object* dataset,
                                          const onecast_selection* part,
                                          const onecast_type* memory_type, void* out, size_t size,
                                          onecast_pending** pending) {
  return begin_read(dataset, part, memory_type, out, size, pending, Way::alone);
}

onecast_status onecast_dataset_read_all_async(const onecast_object* dataset,
                                              const onecast_selection* part,
                                              const onecast_type* memory_type, void* out,
                                              size_t size, onecast_pending** pending) {
  return begin_read(dataset, part, memory_type, out, size, pending, Way::together);
}

onecast_status onecast_dataset_write_async(onecast_object* dataset, const onecast_selection* part,
                                           const onecast_type* memory_type, const void* data,
                                           size_t size, onecast_pending** pending) {
  return begin_write(dataset, part, memory_type, data, size, pending, Way::alone);
}

onecast_status onecast_dataset_write_all_async(onecast_object* dataset,
                                               const onecast_selection* part,
                                               const onecast_type* memory_type, const void* data,
                                               size_t size, onecast_pending** pending) {
  return begin_write(dataset, part, memory_type, data, size, pending, Way::together);
}

onecast_status onecast_dataset_write_equal_async(onecast_object* dataset,
                                                 const onecast_selection* part,
                                                 const onecast_type* memory_type, const void* data,
                                                 size_t size, onecast_pending** pending) {
  return begin_write(dataset, part, memory_type, data, size, pending, Way::equally);
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
