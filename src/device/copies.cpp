#include "device/copies.hpp"

#include <utility>

namespace onecast::device {
namespace {

/// Drivers take no larger distances between rows.
constexpr std::size_t kMostDistance = std::size_t{1} << 30U;

void* pointer(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

CopyOfRows::Side of_host(std::uintptr_t address, std::size_t distance) {
  return {.memory_type = kHostMemory, .host = pointer(address), .pitch = distance};
}

CopyOfRows::Side of_device(std::uintptr_t address, std::size_t distance) {
  return {.memory_type = kDeviceMemory, .device = address, .pitch = distance};
}

}  // namespace

void Copies::give_up() {
  series_.pieces = 0;
  if (std::exchange(is_pending_, false)) driver_.wait_for_stream(stream_);
}

void Copies::add(Direction direction, const std::byte* device, const std::byte* host,
                 std::size_t size) {
  if (size == 0) return;
  const Series next{direction, reinterpret_cast<std::uintptr_t>(device),
                    reinterpret_cast<std::uintptr_t>(host), size, 1};
  if (continues(next)) return;
  begin();
  series_ = next;
}

/// Makes the piece a part of the series if it follows at the same distance.
bool Copies::continues(const Series& next) {
  Series& known = series_;
  if (known.pieces == 0 || known.direction != next.direction) return false;
  if (known.pieces == 1 && next.device == known.device + known.size &&
      next.host == known.host + known.size) {
    known.size += next.size;
    return true;
  }
  if (next.size != known.size) return false;
  if (known.pieces == 1) {
    if (next.device < known.device + known.size || next.host < known.host + known.size)
      return false;
    known.device_distance = next.device - known.device;
    known.host_distance = next.host - known.host;
    if (known.device_distance > kMostDistance || known.host_distance > kMostDistance) return false;
  } else if (next.device != known.device + known.pieces * known.device_distance ||
             next.host != known.host + known.pieces * known.host_distance) {
    return false;
  }
  ++known.pieces;
  return true;
}

void Copies::begin() {
  if (series_.pieces == 0) return;
  is_pending_ = true;
  series_.pieces == 1 ? copy_one() : copy_rows();
  series_.pieces = 0;
}

void Copies::copy_one() const {
  if (series_.direction == Direction::to_device)
    driver_.must(driver_.to_device, series_.device, pointer(series_.host), series_.size, stream_);
  else
    driver_.must(driver_.from_device, pointer(series_.host), series_.device, series_.size, stream_);
}

void Copies::copy_rows() const {
  CopyOfRows rows;
  rows.from = of_host(series_.host, series_.host_distance);
  rows.to = of_device(series_.device, series_.device_distance);
  if (series_.direction == Direction::from_device) std::swap(rows.from, rows.to);
  rows.width = series_.size;
  rows.rows = series_.pieces;
  driver_.must(driver_.copy_rows, &rows, stream_);
}

void Copies::finish() {
  begin();
  if (!std::exchange(is_pending_, false)) return;
  driver_.must(driver_.wait_for_stream, stream_);
}

void Copies::record(void* event) {
  begin();
  driver_.must(driver_.record_event, event, stream_);
}

}  // namespace onecast::device
