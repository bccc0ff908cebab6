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

/// Makes the list of requests. Returns the exception if an argument is wrong, else null.
template <class List, class Given>
std::exception_ptr make_list(List& all, size_t count, const Given* given) {
  try {
    all.add(count, given);
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

onecast_status write(onecast_file* file, size_t count, const onecast_write_request* requests,
                     Datasets named) {
  return guard([&] {
    File& to = required(file, "file").file;
    Writes all;
    const auto failure = make_list(all, count, requests);
    to.write_multi(all.requests, failure, named);
  });
}

onecast_status read(const onecast_file* file, size_t count, const onecast_read_request* requests,
                    Datasets named) {
  return guard([&] {
    const File& from = required(file, "file").file;
    Reads all;
    const auto failure = make_list(all, count, requests);
    from.read_multi(all.requests, failure, named);
  });
}

onecast_status begin_write(onecast_file* file, size_t count, const onecast_write_request* requests,
                           Datasets named, onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    File& to = required(file, "file").file;
    Writes all;
    const auto failure = make_list(all, count, requests);
    give(pending, {to.write_multi_async(all.requests, failure, named)});
  });
}

onecast_status begin_read(const onecast_file* file, size_t count,
                          const onecast_read_request* requests, Datasets named,
                          onecast_pending** pending) {
  return guard_making(pending, [&] {
    required(pending, "pending");
    const File& from = required(file, "file").file;
    Reads all;
    const auto failure = make_list(all, count, requests);
    give(pending, {from.read_multi_async(all.requests, failure, named)});
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
