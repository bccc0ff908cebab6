#include "collective/last_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ratio>
#include <string_view>

#include "base/elapsed.hpp"

namespace onecast::collective {

void LastTransfer::begin(const char* call, const IoStats& now) {
  call_ = call;
  failed_ = true;
  before_ = after_ = now;
  start_ = std::chrono::steady_clock::now();
}

std::uint64_t LastTransfer::end(const IoStats& now) {
  const std::uint64_t all = nanoseconds_since(start_);
  after_ = now;
  // Threads that read or decode at once may add up to more than the whole time.
  const std::uint64_t in_file = now.file_nanoseconds - before_.file_nanoseconds;
  return exchange_nanoseconds_ = all - std::min(all, in_file);
}

void LastTransfer::went(const TransferPlan& plan, std::uint64_t bytes) {
  failed_ = false;
  plan_ = plan;
  bytes_ = bytes;
}

std::string LastTransfer::sentence() const {
  if (call_ == nullptr) return "no read_all or write_all yet";
  if (failed_) return fmt::format("{}: failed", call_);
  std::string text = fmt::format("{}: {}: {}", call_, name_of(plan_.told.method), plan_.sentence());
  // Nothing is known of the other ranks.
  if (!plan_.counts) text += fmt::format("; {} on this rank", counted(bytes_, "byte"));
  const std::uint64_t reads = after_.reads - before_.reads;
  const std::uint64_t writes = after_.writes - before_.writes;
  const bool writing = std::string_view(call_).starts_with("write");
  const auto milliseconds = [](std::uint64_t spent) {
    return static_cast<double>(spent) / std::nano::den * std::milli::den;
  };
  return text + fmt::format(
                    "; this rank made {} and {}, in {:.3g} ms of file calls and {:.3g} ms "
                    "of exchange",
                    counted(writing ? writes : reads, writing ? "write call" : "read call"),
                    counted(after_.collectives - before_.collectives, "collective call"),
                    milliseconds(after_.file_nanoseconds - before_.file_nanoseconds),
                    milliseconds(exchange_nanoseconds_));
}

}  // namespace onecast::collective
