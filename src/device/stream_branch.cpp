#include "device/stream_branch.hpp"

namespace onecast::device {
namespace {

/// An event, for as long as a stream is told to wait for it. The driver keeps what it needs.
class Event {
 public:
  explicit Event(const Driver& driver) : driver_(driver) {
    driver_.must(driver_.create_event, &event_, kEventWithoutTime);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { driver_.destroy_event(event_); }

  [[nodiscard]] void* get() const { return event_; }

 private:
  const Driver& driver_;
  void* event_ = nullptr;
};

}  // namespace

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
