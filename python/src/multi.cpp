// Binds reads and writes of many datasets in one call.

#include "onecast/objects/multi.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "element_form.hpp"
#include "onecast/objects/file.hpp"
#include "pending.hpp"

namespace {

using onecast::Dataset;
using onecast::Datasets;
using onecast::File;
using onecast::ReadRequest;
using onecast::Selection;
using onecast::WriteRequest;

using Requests = Typed<
    nb::list,
    "list[tuple[Dataset, typing_extensions.Buffer, Selection, StoredType | NewValues | None]]">;

/// Parses (dataset, array, part, form) of each read or write.
template <class Request, class OneBuffer>
struct Parsed {
  explicit Parsed(const Requests& list) {
    for (const nb::handle request : list) {
      auto buffer = std::make_unique<OneBuffer>(request[1]);
      requests.emplace_back(nb::cast<Dataset>(request[0]), buffer->bytes(),
                            request_of(*buffer, nb::cast<Selection>(request[2]), request[3]));
      buffers.push_back(std::move(buffer));
    }
  }

  PendingTransfer::Memory buffers;
  std::vector<Request> requests;
};
using Writes = Parsed<WriteRequest, ReadBuffer>;
using Reads = Parsed<ReadRequest, WriteBuffer>;

Datasets named(bool own) { return own ? Datasets::own : Datasets::same; }

void write_multi(File& file, const Requests& list, bool own) {
  const Writes all(list);
  const CoreCall call;
  file.write_multi(all.requests, {}, named(own));
}

void read_multi(const File& file, const Requests& list, bool own) {
  const Reads all(list);
  const CoreCall call;
  file.read_multi(all.requests, {}, named(own));
}

auto write_multi_async(File& file, const Requests& list, bool own) {
  Writes all(list);
  return PendingTransfer::begin(
      std::move(all.buffers), [&] { return file.write_multi_async(all.requests, {}, named(own)); });
}

auto read_multi_async(const File& file, const Requests& list, bool own) {
  Reads all(list);
  return PendingTransfer::begin(
      std::move(all.buffers), [&] { return file.read_multi_async(all.requests, {}, named(own)); });
}

}  // namespace

void bind_multi(nb::class_<File>& file) {
  const auto requests = nb::arg("requests");
  const auto which = nb::arg("own");
  const auto why = nb::arg("why");
  file.def("write_multi", &write_multi, requests, which)
      .def("read_multi", &read_multi, requests, which)
      .def("write_multi_async", &write_multi_async, requests, which)
      .def("read_multi_async", &read_multi_async, requests, which)
      .def(
          "fail_write_multi",
          [](File& f, const std::string& text, bool own) {
            const CoreCall call;
            f.write_multi({}, failure_of(text), named(own));
          },
          why, which)
      .def(
          "fail_read_multi",
          [](const File& f, const std::string& text, bool own) {
            const CoreCall call;
            f.read_multi({}, failure_of(text), named(own));
          },
          why, which)
      .def(
          "fail_write_multi_async",
          [](File& f, const std::string& text, bool own) {
            return PendingTransfer::begin(
                {}, [&] { return f.write_multi_async({}, failure_of(text), named(own)); });
          },
          why, which)
      .def(
          "fail_read_multi_async",
          [](const File& f, const std::string& text, bool own) {
            return PendingTransfer::begin(
                {}, [&] { return f.read_multi_async({}, failure_of(text), named(own)); });
          },
          why, which);
}
