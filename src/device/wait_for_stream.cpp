#include "onecast/device/wait_for_stream.hpp"

#include "device/place.hpp"

namespace onecast {

void wait_for_stream(const void* memory, std::uintptr_t stream) {
  const auto place = device::device_of(memory);
  if (!place) return;
  const device::CurrentContext context(*place);
  void* handle = reinterpret_cast<void*>(stream);  // NOLINT(performance-no-int-to-ptr)
  place->driver->must(place->driver->wait_for_stream, handle);
}

}  // namespace onecast
