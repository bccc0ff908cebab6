#include "transport/lazy_transport.hpp"

namespace onecast::transport {

Transport& LazyTransport::inner() {
  const std::lock_guard lock(mutex_);
  if (!inner_) {
    inner_ = open_();
    opened_.store(inner_.get(), std::memory_order_release);
  }
  return *inner_;
}

std::size_t LazyTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  return out.empty() ? 0 : inner().read_at(offset, out);
}

void LazyTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!bytes.empty()) inner().write_at(offset, bytes);
}

bool LazyTransport::take_lack_of_room() {
  Transport* const opened = opened_.load(std::memory_order_acquire);
  return opened != nullptr && opened->take_lack_of_room();
}

void LazyTransport::sync() {
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->sync();
}

bool LazyTransport::is_open() {
  const std::lock_guard lock(mutex_);
  return inner_ != nullptr;
}

void LazyTransport::sync_name() {
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->sync_name();
}

}  // namespace onecast::transport
