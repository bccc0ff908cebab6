// Binds arrays in memory of a device, for the transfers of datasets.

#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "buffer.hpp"

void bind_device_array(nb::module_& m) {
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
