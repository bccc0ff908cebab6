#include "device/place.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace onecast::device {
namespace {

/// Returns true if the process can read the memory. The system reads the argument of this call
/// before it refuses the first one, and so changes nothing.
bool is_readable(const void* address) {
  constexpr int kNoSuchChange = -1;
  constexpr std::uintptr_t kSizeOfSet = 8;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(address) & ~(kSizeOfSet - 1);
  const int before = errno;
  const long result = syscall(SYS_rt_sigprocmask, kNoSuchChange, first, nullptr, kSizeOfSet);
  const bool is_there = result == 0 || errno != EFAULT;
  errno = before;
  return is_there;
}

/// Returns the kind of memory at an address; 0 if the driver does not know it.
unsigned type_of(const Driver& driver, const void* address) {
  const auto pointer = reinterpret_cast<std::uint64_t>(address);
  unsigned type = 0;
  const int result = driver.pointer_attribute(&type, kMemoryTypeAttribute, pointer);
  if (result == 0) return type;
  if (is_readable(address)) return 0;
  throw DeviceError(
      ErrorCode::invalid_argument,
      fmt::format("buffer: neither the process nor a device has memory at {:#x}: {}: {}", pointer,
                  driver.pointer_attribute.name, driver.words(result)));
}

Place place_of_known(const Driver& driver, const void* address) {
  const auto pointer = reinterpret_cast<std::uint64_t>(address);
  Place place{&driver, nullptr, 0};
  // Memory that no context owns tells its device alone.
  if (driver.pointer_attribute(static_cast<void*>(&place.context), kContextAttribute, pointer) != 0)
    place.context = nullptr;
  if (place.context == nullptr)
    driver.must(driver.pointer_attribute, &place.ordinal, kOrdinalAttribute, pointer);
  return place;
}

}  // namespace

std::optional<Place> find_place(const Driver& driver, const void* address) {
  if (type_of(driver, address) != kDeviceMemory) return {};
  unsigned is_managed = 0;
  if (driver.pointer_attribute(&is_managed, kIsManagedAttribute,
                               reinterpret_cast<std::uint64_t>(address)) == 0 &&
      is_managed != 0)
    return {};
  return place_of_known(driver, address);
}

std::optional<Place> find_device(const Driver& driver, const void* address) {
  if (type_of(driver, address) == 0) return {};
  return place_of_known(driver, address);
}

CurrentContext::CurrentContext(const Place& place) : driver_(*place.driver) {
  void* context = place.context;
  if (context == nullptr) {
    int device = 0;
    driver_.must(driver_.get_device, &device, place.ordinal);
    driver_.must(driver_.retain_primary_context, &context, device);
    retained_ = device;
  }
  if (const int result = driver_.push_context(context); result != 0) {
    release();
    driver_.fail(driver_.push_context.name, result);
  }
}

CurrentContext::~CurrentContext() {
  void* context = nullptr;
  driver_.pop_context(&context);
  release();
}

void CurrentContext::release() const {
  if (retained_) driver_.release_primary_context(*retained_);
}

}  // namespace onecast::device
