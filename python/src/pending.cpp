// Binds pending calls.

#include "pending.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "element_form.hpp"
#include "onecast/objects/dataset.hpp"

namespace {

using onecast::Dataset;
using onecast::Selection;
using onecast::Sharing;
using onecast::TransferRequest;
using Begun = std::unique_ptr<PendingTransfer>;

Begun begin_read(const Dataset& dataset, AnyMemory out, const Selection& part, Form form) {
  return PendingTransfer::begin<WriteBuffer>(
      out, part, form, {},
      [&](auto bytes, const auto& request) { return dataset.read_async(bytes, request); });
}

Begun begin_read_all(const Dataset& dataset, AnyMemory out, const Selection& part, Form form,
                     std::optional<Sharing> sharing) {
  return PendingTransfer::begin<WriteBuffer>(
      out, part, form, sharing,
      [&](auto bytes, const auto& request) { return dataset.read_all_async(bytes, request); });
}

Begun begin_write(Dataset& dataset, AnyMemory data, const Selection& part, Form form) {
  return PendingTransfer::begin<ReadBuffer>(
      data, part, form, {},
      [&](auto bytes, const auto& request) { return dataset.write_async(bytes, request); });
}

Begun begin_write_all(Dataset& dataset, AnyMemory data, const Selection& part, Form form) {
  return PendingTransfer::begin<ReadBuffer>(
      data, part, form, {},
      [&](auto bytes, const auto& request) { return dataset.write_all_async(bytes, request); });
}

/// Takes part in the collective call with a failure, which all ranks then throw.
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
  const auto form = nb::arg("form").none() = nb::none();
  dataset.def("read_async", &begin_read, nb::arg("out"), part, form)
      .def("read_all_async", &begin_read_all, nb::arg("out"), part, form,
           nb::arg("sharing").none() = nb::none())
      .def("write_async", &begin_write, nb::arg("data"), part, form)
      .def("write_all_async", &begin_write_all, nb::arg("data"), part, form)
      .def("fail_read_all_async", &begin_failing_read_all, nb::arg("why"),
           nb::arg("sharing").none() = nb::none())
      .def("fail_write_all_async", &begin_failing_write_all, nb::arg("why"));
}
