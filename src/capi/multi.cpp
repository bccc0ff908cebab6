#include "onecast/capi/multi.h"

#include <exception>
#include <vector>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/pending.hpp"
#include "capi/transfers.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

std::span<const std::byte> memory_of(const onecast_write_request& r) {
  return bytes(r.data, r.size);
}
std::span<std::byte> memory_of(const onecast_read_request& r) { return room(r.out, r.size); }

/// Makes the list of requests. Returns the exception if an argument is wrong, else null.
template <class Request, class Given>
std::exception_ptr make_list(std::vector<Request>& all, size_t count, const Given* given) {
  try {
    for (const Given& r : list(given, count, "requests")) {
      const Dataset& dataset = as_dataset(r.dataset);
      all.emplace_back(dataset, memory_of(r), plain_request_of(dataset, r.part, r.memory_type));
    }
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

onecast_status write(onecast_file* file, size_t count, const onecast_write_request* requests,
                     Datasets named) {
  return guard([&] {
    File& to = required(file, "file").file;
    std::vector<WriteRequest> all;
    const auto failure = make_list(all, count, requests);
    to.write_multi(all, failure, named);
  });
}

onecast_status read(const onecast_file* file, size_t count, const onecast_read_request* requests,
                    Datasets named) {
  return guard([&] {
    const File& from = required(file, "file").file;
    std::vector<ReadRequest> all;
    const auto failure = make_list(all, count, requests);
    from.read_multi(all, failure, named);
  });
}

onecast_status begin_write(onecast_file* file, size_t count, const onecast_write_request* requests,
                           Datasets named, onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    File& to = required(file, "file").file;
    std::vector<WriteRequest> all;
    const auto failure = make_list(all, count, requests);
    give(pending, {to.write_multi_async(all, failure, named)});
  });
}

onecast_status begin_read(const onecast_file* file, size_t count,
                          const onecast_read_request* requests, Datasets named,
                          onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    const File& from = required(file, "file").file;
    std::vector<ReadRequest> all;
    const auto failure = make_list(all, count, requests);
    give(pending, {from.read_multi_async(all, failure, named)});
  });
}

}  // namespace

onecast_status onecast_file_write_multi(onecast_file* file, size_t count,
                                        const onecast_write_request* requests) {
  return write(file, count, requests, Datasets::same);
}

onecast_status onecast_file_read_multi(const onecast_file* file, size_t count,
                                       const onecast_read_request* requests) {
  return read(file, count, requests, Datasets::same);
}

onecast_status onecast_file_write_multi_async(onecast_file* file, size_t count,
                                              const onecast_write_request* requests,
                                              onecast_pending** pending) {
  return begin_write(file, count, requests, Datasets::same, pending);
}

onecast_status onecast_file_read_multi_async(const onecast_file* file, size_t count,
                                             const onecast_read_request* requests,
                                             onecast_pending** pending) {
  return begin_read(file, count, requests, Datasets::same, pending);
}

onecast_status onecast_file_write_multi_own(onecast_file* file, size_t count,
                                            const onecast_write_request* requests) {
  return write(file, count, requests, Datasets::own);
}

onecast_status onecast_file_read_multi_own(const onecast_file* file, size_t count,
                                           const onecast_read_request* requests) {
  return read(file, count, requests, Datasets::own);
}

onecast_status onecast_file_write_multi_own_async(onecast_file* file, size_t count,
                                                  const onecast_write_request* requests,
                                                  onecast_pending** pending) {
  return begin_write(file, count, requests, Datasets::own, pending);
}

onecast_status onecast_file_read_multi_own_async(const onecast_file* file, size_t count,
                                                 const onecast_read_request* requests,
                                                 onecast_pending** pending) {
  return begin_read(file, count, requests, Datasets::own, pending);
}
