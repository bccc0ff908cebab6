#include "device/stream_branch.hpp"

#include "device/event.hpp"

namespace onecast::device {

StreamBranch::StreamBranch(const Place& place, std::uintptr_t stream) : place_(place) {
  const CurrentContext context(place_);
  const Driver& driver = *place_.driver;
  const Event event(driver);
  void* other = reinterpret_cast<void*>(stream);  // NOLINT(performance-no-int-to-ptr)
  driver.must(driver.record_event, event.get(), other);
  driver.must(driver.create_stream, &stream_, kStreamOfItsOwn);
  if (const int result = driver.let_stream_wait(stream_, event.get(), 0); result != 0) {
    driver.destroy_stream(stream_);
    driver.fail(driver.let_stream_wait.name, result);
  }
}

StreamBranch::~StreamBranch() {
  try {
    const CurrentContext context(place_);
    place_.driver->destroy_stream(stream_);
  } catch (const DeviceError&) {  // NOLINT(bugprone-empty-catch): a lost driver has lost it, too
  }
}

}  // namespace onecast::device
