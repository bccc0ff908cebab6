#include "onecast/capi/multi.h"

#include <exception>
#include <memory>
#include <vector>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/pending.hpp"
#include "capi/transfers.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

struct Writes {
  std::vector<WriteRequest> requests{};

  void add(size_t count, const onecast_write_request* given) {
    for (const onecast_write_request& r : list(given, count, "requests")) {
      const Dataset& dataset = as_dataset(r.dataset);
      requests.emplace_back(dataset, bytes(r.data, r.size),
                            plain_request_of(dataset, r.part, r.memory_type));
    }
  }
};

struct Reads {
  std::vector<ReadRequest> requests{};

  void add(size_t count, const onecast_read_request* given) {
    for (const onecast_read_request& r : list(given, count, "requests")) {
      const Dataset& dataset = as_dataset(r.dataset);
      requests.emplace_back(dataset, room(r.out, r.size),
                            plain_request_of(dataset, r.part, r.memory_type));
    }
  }
};

/// Why there is no list of what was given, if so.
template <class List, class Given>
std::exception_ptr make_list(List& all, size_t count, const Given* given) {
  try {
    all.add(count, given);
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

}  // namespace

onecast_status onecast_file_write_multi(onecast_file* file, size_t count,
                                        const onecast_write_request* requests) {
  return guard([&] {
    File& to = required(file, "file").file;
    Writes all;
    const auto failure = make_list(all, count, requests);
    to.write_multi(all.requests, failure);
  });
}

onecast_status onecast_file_read_multi(const onecast_file* file, size_t count,
                                       const onecast_read_request* requests) {
  return guard([&] {
    const File& from = required(file, "file").file;
    Reads all;
    const auto failure = make_list(all, count, requests);
    from.read_multi(all.requests, failure);
  });
}

onecast_status onecast_file_write_multi_async(onecast_file* file, size_t count,
                                              const onecast_write_request* requests,
                                              onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    File& to = required(file, "file").file;
    Writes all;
    const auto failure = make_list(all, count, requests);
    give(pending, {to.write_multi_async(all.requests, failure)});
  });
}

onecast_status onecast_file_read_multi_async(const onecast_file* file, size_t count,
                                             const onecast_read_request* requests,
                                             onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    const File& from = required(file, "file").file;
    Reads all;
    const auto failure = make_list(all, count, requests);
    give(pending, {from.read_multi_async(all.requests, failure)});
  });
}
