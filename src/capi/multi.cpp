#include "onecast/capi/multi.h"

#include <deque>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/plain_bytes.hpp"
#include "capi/request.hpp"

using namespace onecast;
using namespace onecast::capi;

onecast_status onecast_file_write_multi(onecast_file* file, size_t count,
                                        const onecast_write_request* requests) {
  return guard([&] {
    File& to = required(file, "file").file;
    std::deque<PlainBytes> given;
    std::vector<WriteRequest> all;
    std::exception_ptr failure;
    try {
      for (const onecast_write_request& r : list(requests, count, "requests")) {
        const Dataset& dataset = as_dataset(r.dataset);
        Request request(dataset, r.part, r.memory_type);
        given.emplace_back(request.given_type(dataset), bytes(r.data, r.size));
        all.push_back({dataset, given.back().get(), std::move(request.part),
                       std::move(request.memory), std::move(request.type)});
      }
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) to.fail_write_multi(failure);
    to.write_multi(all);
  });
}

onecast_status onecast_file_read_multi(const onecast_file* file, size_t count,
                                       const onecast_read_request* requests) {
  return guard([&] {
    const File& from = required(file, "file").file;
    std::vector<ReadRequest> all;
    std::exception_ptr failure;
    try {
      for (const onecast_read_request& r : list(requests, count, "requests")) {
        const Dataset& dataset = as_dataset(r.dataset);
        Request request(dataset, r.part, r.memory_type);
        all.push_back({dataset, room(r.out, r.size), std::move(request.part),
                       std::move(request.memory), std::move(request.type)});
      }
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) from.fail_read_multi(failure);
    from.read_multi(all);
  });
}
