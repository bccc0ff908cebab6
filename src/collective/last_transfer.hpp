#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/namespaces.hpp"
#include "collective/transfer_plan.hpp"
#include "onecast/transport/io_stats.hpp"

namespace onecast::collective {

/// A record of the last read_all or write_all of a file on this rank; the source of File::explain.
class LastTransfer {
 public:
  /// `call` is the name of the call, and must stay valid. `now`: the counts so far.
  void begin(const char* call, const IoStats& now);
  /// @returns the time spent outside of file calls, in nanoseconds
  std::uint64_t end(const IoStats& now);

  /// Notes that the transfer went as planned. `bytes`: those of this rank, in their stored form.
  void went(const TransferPlan& plan, std::uint64_t bytes);

  [[nodiscard]] std::string sentence() const;

 private:
  const char* call_ = nullptr;
  bool failed_ = false;
  std::uint64_t bytes_ = 0;
  TransferPlan plan_;
  IoStats before_;
  IoStats after_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t exchange_nanoseconds_ = 0;
};

}  // namespace onecast::collective
