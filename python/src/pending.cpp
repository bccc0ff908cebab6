// Calls that were begun and not waited for.

#include "pending.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "onecast/objects/dataset.hpp"

namespace {

using onecast::Dataset;
using onecast::NewValues;
using onecast::Selection;
using onecast::Sharing;
using onecast::TransferRequest;
using Begun = std::unique_ptr<PendingTransfer>;

Begun begin_read(const Dataset& dataset, nb::handle out, const Selection& part) {
  return PendingTransfer::begin<WriteBuffer>(
      out, [&](auto bytes) { return dataset.read_async(bytes, part); });
}

Begun begin_read_all(const Dataset& dataset, nb::handle out, const Selection& part,
                     std::optional<Sharing> sharing) {
  return PendingTransfer::begin<WriteBuffer>(out, [&](auto bytes) {
    return dataset.read_all_async(bytes, TransferRequest{.part = part, .sharing = sharing});
  });
}

Begun begin_write(Dataset& dataset, nb::handle data, const Selection& part,
                  const NewValues* values) {
  return PendingTransfer::begin<ReadBuffer>(data, [&](auto bytes) {
    return dataset.write_async(bytes, TransferRequest{.part = part, .values = values});
  });
}

Begun begin_write_all(Dataset& dataset, nb::handle data, const Selection& part,
                      const NewValues* values) {
  return PendingTransfer::begin<ReadBuffer>(data, [&](auto bytes) {
    return dataset.write_all_async(bytes, TransferRequest{.part = part, .values = values});
  });
}

/// This rank takes part and fails with all.
Begun begin_failing_read_all(const Dataset& dataset, const std::string& why,
                             std::optional<Sharing> sharing) {
  return PendingTransfer::begin({}, [&] {
    return dataset.read_all_async(std::span<std::byte>(),
                                  TransferRequest{.sharing = sharing, .failure = failure_of(why)});
  });
}

Begun begin_failing_write_all(Dataset& dataset, const std::string& why) {
  return PendingTransfer::begin({}, [&] {
    return dataset.write_all_async(std::span<const std::byte>(),
                                   TransferRequest{.failure = failure_of(why)});
  });
}

}  // namespace

void bind_pending(nb::module_& m) {
  nb::class_<PendingTransfer>(m, "Pending", "A call that was begun.")
      .def(nb::init<>())
      .def("wait", &PendingTransfer::wait)
      .def_prop_ro("is_done", &PendingTransfer::is_done);
}

void bind_async(nb::class_<Dataset, onecast::Object>& dataset) {
  const auto part = nb::arg("part");
  const auto values = nb::arg("values").none() = nb::none();
  dataset.def("read_async", &begin_read, nb::arg("out"), part)
      .def("read_all_async", &begin_read_all, nb::arg("out"), part,
           nb::arg("sharing").none() = nb::none())
      .def("write_async", &begin_write, nb::arg("data"), part, values)
      .def("write_all_async", &begin_write_all, nb::arg("data"), part, values)
      .def("fail_read_all_async", &begin_failing_read_all, nb::arg("why"),
           nb::arg("sharing").none() = nb::none())
      .def("fail_write_all_async", &begin_failing_write_all, nb::arg("why"));
}
