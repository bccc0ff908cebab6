#include "support/fault_transport.hpp"

#include <algorithm>

#include "transport/system_error.hpp"

namespace onecast::test {
namespace {

const FaultPlan::Fault* fault_of(const FaultPlan& plan, FaultPlan::Call call,
                                 std::uint64_t number) {
  const auto hit = std::find_if(plan.faults.begin(), plan.faults.end(), [&](const auto& fault) {
    return fault.call == call && number >= fault.first && number - fault.first < fault.count;
  });
  return hit == plan.faults.end() ? nullptr : &*hit;
}

}  // namespace

std::size_t FaultTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (const auto* fault = fault_of(*plan_, FaultPlan::Call::read, ++plan_->reads))
    fail_transfer(name_, "read", offset, out.size(), fault->error);
  return ForwardingTransport::read_at(offset, out);
}

void FaultTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  std::size_t written = bytes.size();
  int error = 0;
  if (const auto* fault = fault_of(*plan_, FaultPlan::Call::write, ++plan_->writes)) {
    written = std::min(written, fault->written_before);
    error = fault->error;
  }
  if (plan_->space) {
    const std::size_t wanted = written;
    written = take_space(offset, wanted);
    if (written < wanted) error = ENOSPC;
  }
  ForwardingTransport::write_at(offset, bytes.first(written));
  if (error != 0) fail_transfer(name_, "write", offset, bytes.size(), error);
}

/// Takes space for as much of the range as possible. Returns how much.
std::size_t FaultTransport::take_space(std::uint64_t offset, std::size_t size) {
  IntervalSet& taken = plan_->takes_space[name_];
  const std::uint64_t end = offset + size;
  std::uint64_t at = offset;
  while (at < end) {
    const IntervalSet::Interval next = taken.next(at, end);
    const std::uint64_t got = std::min(next.start - at, *plan_->space);
    *plan_->space -= got;
    if (got < next.start - at) {
      at += got;
      break;
    }
    at = next.end;
  }
  taken.add(offset, at);
  return static_cast<std::size_t>(at - offset);
}

void FaultTransport::give_back(std::uint64_t offset, std::uint64_t size) {
  if (plan_->space) {
    IntervalSet& taken = plan_->takes_space[name_];
    const std::uint64_t end = offset + size;
    for (auto next = taken.next(offset, end); next.start < end; next = taken.next(next.end, end))
      *plan_->space += next.end - next.start;
    taken.remove(offset, end);
  }
  ForwardingTransport::give_back(offset, size);
}

void FaultTransport::reserve(std::uint64_t offset, std::uint64_t size) {
  if (plan_->space && *plan_->space < size) fail_transfer(name_, "fallocate", offset, size, ENOSPC);
  ForwardingTransport::reserve(offset, size);
}

void FaultTransport::sync() {
  if (const auto* fault = fault_of(*plan_, FaultPlan::Call::sync, ++plan_->syncs))
    fail_call(name_, "fsync", fault->error);
  ForwardingTransport::sync();
}

void FaultTransport::sync_name() {
  if (const auto* fault = fault_of(*plan_, FaultPlan::Call::sync, ++plan_->syncs))
    fail_call(name_, "fsync of the folder", fault->error);
  ForwardingTransport::sync_name();
}

TransportFactory fault_factory(TransportFactory inner, std::shared_ptr<FaultPlan> plan) {
  return
      [inner = std::move(inner), plan = std::move(plan)](const std::string& path, OpenMode mode) {
        return std::make_unique<FaultTransport>(path, inner(path, mode), plan);
      };
}

}  // namespace onecast::test
