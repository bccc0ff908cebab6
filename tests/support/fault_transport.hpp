#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/interval_set.hpp"
#include "transport/factory.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::test {

using namespace transport;

/// The calls that fail, and their errors, which may change at any time. It counts the
/// calls of all transports that share it, from 1, whether they fail or not.
struct FaultPlan {
  enum class Call : unsigned char { read, write, sync };
  static constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

  /// Calls number `first` ... `first + count - 1` of their kind fail.
  struct Fault {
    Call call = Call::write;
    std::uint64_t first = 1;
    int error = EIO;
    std::size_t written_before = 0;  ///< a failing write still writes this number of its bytes
    std::uint64_t count = 1;
  };

  std::vector<Fault> faults;
  /// The bytes that are left on the disk before ENOSPC. Ranges that were written while it was set
  /// need none.
  std::optional<std::uint64_t> space;
  std::map<std::string, IntervalSet> takes_space;  ///< by file

  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t syncs = 0;
};

/// Forwards calls, except for those that its plan makes fail.
class FaultTransport final : public ForwardingTransport {
 public:
  FaultTransport(std::string name, std::unique_ptr<Transport> inner,
                 std::shared_ptr<FaultPlan> plan)
      : ForwardingTransport(std::move(inner)), name_(std::move(name)), plan_(std::move(plan)) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void reserve(std::uint64_t offset, std::uint64_t size) override;
  void give_back(std::uint64_t offset, std::uint64_t size) override;
  void sync() override;
  void sync_name() override;

 private:
  std::size_t take_space(std::uint64_t offset, std::size_t size);

  std::string name_;
  std::shared_ptr<FaultPlan> plan_;
};

/// Makes calls fail as `plan` says.
TransportFactory fault_factory(TransportFactory inner, std::shared_ptr<FaultPlan> plan);

}  // namespace onecast::test
