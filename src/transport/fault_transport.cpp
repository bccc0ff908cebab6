#include "transport/fault_transport.hpp"

#include <algorithm>

#include "transport/system_error.hpp"

namespace onecast {
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
    if (*plan_->space < written) {
      written = static_cast<std::size_t>(*plan_->space);
      error = ENOSPC;
    }
    *plan_->space -= written;
  }
  ForwardingTransport::write_at(offset, bytes.first(written));
  if (error != 0) fail_transfer(name_, "write", offset, bytes.size(), error);
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

}  // namespace onecast
