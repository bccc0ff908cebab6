#include "transport/counting_transport.hpp"

#include <atomic>
#include <chrono>

#include "base/elapsed.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

/// Several threads may read at the same time.
void add(std::uint64_t& count, std::uint64_t n) {
  std::atomic_ref(count).fetch_add(n, std::memory_order_relaxed);
}

/// Adds its lifetime to the time spent in calls.
class Timer {
 public:
  explicit Timer(IoStats& stats) : stats_(stats) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { add(stats_.file_nanoseconds, nanoseconds_since(start_)); }

 private:
  IoStats& stats_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

template <class Call>
void CountingTransport::watch(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    if (is_lack_of_room(error)) lacks_room_ = true;
    throw;
  }
}

std::size_t CountingTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (out.empty()) return 0;
  add(stats_.reads, 1);
  const Timer timer(stats_);
  const std::size_t got = ForwardingTransport::read_at(offset, out);
  add(stats_.bytes_read, got);
  return got;
}

void CountingTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return watch([&] { ForwardingTransport::write_at(offset, bytes); });
  add(stats_.writes, 1);
  const Timer timer(stats_);
  watch([&] { ForwardingTransport::write_at(offset, bytes); });
  add(stats_.bytes_written, bytes.size());
}

void CountingTransport::write_parts_at(std::uint64_t offset,
                                       std::span<const std::span<const std::byte>> parts) {
  std::uint64_t size = 0;
  for (const auto part : parts) size += part.size();
  if (size == 0) return watch([&] { inner().write_parts_at(offset, parts); });
  add(stats_.writes, 1);
  const Timer timer(stats_);
  watch([&] { inner().write_parts_at(offset, parts); });
  add(stats_.bytes_written, size);
}

void CountingTransport::reserve(std::uint64_t offset, std::uint64_t size) {
  watch([&] { ForwardingTransport::reserve(offset, size); });
}

void CountingTransport::sync() {
  add(stats_.syncs, 1);
  const Timer timer(stats_);
  ForwardingTransport::sync();
}

void CountingTransport::sync_name() {
  add(stats_.syncs, 1);
  const Timer timer(stats_);
  ForwardingTransport::sync_name();
}

}  // namespace onecast::transport
