#include "device/staging.hpp"

#include <mutex>
#include <utility>

#include "base/mutex.hpp"
#include "base/of_process.hpp"

namespace onecast::device {
namespace {

/// The memory that is kept for the next transfer.
struct Kept {
  GlobalMutex one_at_a_time;
  Buffer bytes;
};
Kept& kept() { return of_process<Kept>(); }

/// Exchanges the kept memory for other memory.
Buffer exchange_kept(Buffer bytes) {
  const std::scoped_lock lock(kept().one_at_a_time);
  return std::exchange(kept().bytes, std::move(bytes));
}

/// Frees memory that the driver may know. If the driver holds on to it, it must stay: other memory
/// at its address would be taken for it.
void release(const Driver& driver, Buffer bytes) {
  if (bytes.empty()) return;
  const int result = driver.unregister_host(bytes.data());
  if (result != 0 && result != kNotRegistered) [[maybe_unused]]
    const auto* lost = new Buffer(std::move(bytes));
}

}  // namespace

Staging::Memory::Memory(const Driver& driver, std::size_t size)
    : driver_(driver), bytes_(exchange_kept({})) {
  if (bytes_.size() < size) {
    release(driver, std::move(bytes_));
    bytes_ = Buffer(size);
  }
  // A context that has ended has forgotten it.
  [[maybe_unused]] const int result =
      driver.register_host(bytes_.data(), bytes_.size(), kRegisteredForAll);
}

Staging::Memory::~Memory() { release(driver_, exchange_kept(std::move(bytes_))); }

Staging::Staging(const Place& place, std::size_t size)
    : driver_(*place.driver),
      size_(size),
      copies_(place),
      memory_(driver_, 2 * size),
      ends_{End(driver_), End(driver_)} {}

Staging::~Staging() { copies_.give_up(); }  // the memory must outlast them

std::span<std::byte> Staging::buffer(std::size_t k) {
  End& end = ends_[k % 2];
  if (std::exchange(end.is_awaited, false)) driver_.must(driver_.wait_for_event, end.event.get());
  return {memory_.data() + k % 2 * size_, size_};
}

void Staging::begun(std::size_t k) {
  End& end = ends_[k % 2];
  copies_.record(end.event.get());
  end.is_awaited = true;
}

}  // namespace onecast::device
