#include "collective/last_transfer.hpp"

#include <fmt/format.h>

#include <string_view>

namespace onecast::collective {

void LastTransfer::begin(const char* call, const IoStats& now) {
  call_ = call;
  failed_ = true;
  before_ = after_ = now;
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
  // Of the others nothing was asked.
  if (!plan_.counts) text += fmt::format("; {} on this rank", counted(bytes_, "byte"));
  const std::uint64_t reads = after_.reads - before_.reads;
  const std::uint64_t writes = after_.writes - before_.writes;
  const bool writing = std::string_view(call_).starts_with("write");
  return text + fmt::format("; this rank made {} and {}",
                            counted(writing ? writes : reads, writing ? "write call" : "read call"),
                            counted(after_.collectives - before_.collectives, "collective call"));
}

}  // namespace onecast::collective
