// Binds arrays in memory of a device, for the transfers of datasets.

#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/device/wait_for_stream.hpp"

void bind_device_array(nb::module_& m) {
  m.def(
      "wait_for_stream",
      [](std::uintptr_t address, std::uintptr_t stream) {
        const void* memory =
            reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
        onecast::wait_for_stream(memory, stream);
      },
      nb::call_guard<nb::gil_scoped_release>(), nb::arg("address"), nb::arg("stream"));
  nb::class_<DeviceArray>(m, "DeviceArray")
      .def(
          "__init__",
          [](DeviceArray* made, nb::object owner, std::uintptr_t address, std::size_t size,
             std::optional<std::uintptr_t> stream) {
            new (made) DeviceArray{std::move(owner), address, size, stream};
          },
          nb::arg("owner"), nb::arg("address"), nb::arg("size"),
          nb::arg("stream").none() = nb::none())
      .def_prop_ro("size", [](const DeviceArray& array) { return array.size; });
}
