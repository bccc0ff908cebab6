// Binds arrays in memory of a device, for the transfers of datasets.

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/device/wait_for_stream.hpp"

void bind_device_array(nb::module_& m) {
  nb::class_<DeviceArray>(m, "DeviceArray")
      .def(
          "__init__",
          [](DeviceArray* made, nb::object owner, std::uintptr_t address, std::size_t size,
             std::uintptr_t stream) {
            if (stream != 0) {
              const nb::gil_scoped_release released;
              onecast::wait_for_stream(
                  reinterpret_cast<const void*>(address),  // NOLINT(performance-no-int-to-ptr)
                  stream);
            }
            new (made) DeviceArray{std::move(owner), address, size};
          },
          nb::arg("owner"), nb::arg("address"), nb::arg("size"), nb::arg("stream"))
      .def_prop_ro("size", [](const DeviceArray& array) { return array.size; });
}
