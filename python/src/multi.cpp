// File: reading and writing many datasets at once.

#include "onecast/objects/multi.hpp"

#include <nanobind/stl/string.h>

#include <deque>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/file.hpp"

namespace {

using onecast::Dataset;
using onecast::File;
using onecast::NewValues;
using onecast::ReadRequest;
using onecast::Selection;
using onecast::WriteRequest;

/// (dataset, data, part, values or None) of each.
void write_multi(File& file, const nb::list& requests) {
  std::deque<ReadBuffer> buffers;
  std::vector<WriteRequest> all;
  for (const nb::handle request : requests) {
    const nb::handle values = request[3];
    all.push_back({.dataset = nb::cast<Dataset>(request[0]),
                   .bytes = buffers.emplace_back(request[1]).bytes(),
                   .part = nb::cast<Selection>(request[2]),
                   .values = values.is_none() ? nullptr : nb::cast<const NewValues*>(values)});
  }
  const CoreCall call;
  file.write_multi(all);
}

/// (dataset, array, part) of each.
void read_multi(const File& file, const nb::list& requests) {
  std::deque<WriteBuffer> buffers;
  std::vector<ReadRequest> all;
  for (const nb::handle request : requests)
    all.push_back({.dataset = nb::cast<Dataset>(request[0]),
                   .out = buffers.emplace_back(request[1]).bytes(),
                   .part = nb::cast<Selection>(request[2])});
  const CoreCall call;
  file.read_multi(all);
}

std::exception_ptr failure_of(const std::string& why) {
  return std::make_exception_ptr(onecast::Error(onecast::ErrorCode::invalid_argument, why));
}

}  // namespace

void bind_multi(nb::class_<File>& file) {
  file.def("write_multi", &write_multi, nb::arg("requests"))
      .def("read_multi", &read_multi, nb::arg("requests"))
      .def(
          "fail_write_multi",
          [](File& f, const std::string& why) {
            const CoreCall call;
            f.fail_write_multi(failure_of(why));
          },
          nb::arg("why"))
      .def(
          "fail_read_multi",
          [](const File& f, const std::string& why) {
            const CoreCall call;
            f.fail_read_multi(failure_of(why));
          },
          nb::arg("why"));
}
